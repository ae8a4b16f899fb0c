// Loaded into a server that another program started: when that program is gone, however it ended, the server stops too.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
// Listening alone must not keep a server alive that has stopped.
process.channel?.unref();
