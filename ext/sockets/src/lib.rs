//! Sockets with handler objects: `Bun.listen`, `Bun.connect`, `Bun.udpSocket`, `Bun.dns`. This
//! extension is written in JavaScript alone.

rusk_runtime::extension!("sockets", []);
