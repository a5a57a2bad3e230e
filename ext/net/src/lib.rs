//! Sockets: TCP, Unix and UDP sockets, DNS queries, block lists (`node:net`, `node:dgram`,
//! `node:dns`).

pub mod block_list;
mod dns;
mod tcp;
mod udp;

rusk_runtime::extension!(
    "net",
    [("block_list", block_list::make), ("dns", dns::make), ("net", tcp::make), ("udp", udp::make)]
);
