fn main() void { unreachable_call(); }
