import { expect } from "playwright/test";
import { aFreePort, anSmtpServer } from "@/testing/mail";
import { startServer } from "@/testing/server";
import { aDatabase } from "@/testing/workspace";
import { linkIn } from "./kit";

type Settings = Record<string, string>;

/**
 * A server with its own database, which sends emails through an SMTP server.
 * @param settings may depend on the URL of the database
 */
export async function aServer(settings: Settings | ((databaseUrl: string) => Promise<Settings>) = {}) {
  const database = await aDatabase(process.env.DATABASE_URL as string);
  const smtp = await anSmtpServer();
  const port = await aFreePort();
  const close = async () => {
    await smtp.stop();
    await database.drop();
  };
  const start = async () =>
    startServer("front door", {
      DATABASE_URL: database.url,
      PORT: String(port),
      BASE_URL: `http://localhost:${port}`,
      WORKSPACE_CREATION: "on",
      SMTP_URL: smtp.url,
      MAIL_FROM: "Lectern <kb@example.com>",
      QUICKSTART: "",
      ...(typeof settings === "function" ? await settings(database.url) : settings),
    });
  const server = await start().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  /** The link in the first message to this email that has one, or in a later message. Waits until it arrives. */
  const linkMailedTo = async (address: string, number = 1) => {
    const link = () =>
      smtp.arrived
        .filter(({ to }) => to.includes(address))
        .map((mail) => linkIn(mail))
        .filter(Boolean)[number - 1];
    await expect.poll(link, { timeout: 15_000 }).toBeDefined();
    return link() ?? "";
  };
  const stop = async () => {
    await server.stop();
    await close();
  };
  return { port, database, linkMailedTo, stop, log: () => server.output.join("") };
}
