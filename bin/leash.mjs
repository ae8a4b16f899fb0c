// Loaded into a server that another program started. The server stops when that program ends, however it ends.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
// A listening socket alone must not keep a stopped server alive.
process.channel?.unref();
