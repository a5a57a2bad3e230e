/* Stands for the C++ headers of Node and V8, so that their absence is explained. */
#error "This addon uses the C++ API of V8 or Node (perhaps by nan). The engine of rusk is not V8: \
it loads addons that are built on Node-API. docs/runtime/native-packages.md lists replacements."
