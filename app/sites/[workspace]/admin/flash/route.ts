import { cookies } from "next/headers";
import { env } from "@/lib/env";
import { currentMember } from "@/lib/session";
import { FLASH_COOKIE, hostCookie } from "@/lib/session/cookie";

/** Forgets the message that a page has shown. */
export async function DELETE(_request: Request, context: { params: Promise<{ workspace: string }> }) {
  if (!(await currentMember((await context.params).workspace))) return new Response(null, { status: 401 });
  const { name, options } = hostCookie(FLASH_COOKIE, env().baseUrl);
  (await cookies()).set(name, "", { ...options, maxAge: 0 });
  return new Response(null, { status: 204 });
}
