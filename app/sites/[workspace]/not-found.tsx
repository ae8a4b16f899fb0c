import Link from "next/link";
import { Notice } from "@/components/ui/notice";

/** What `notFound()` shows. Next renders it beside every page, so it asks for nothing. */
export default function NotFound() {
  return (
    <Notice title="Page not found">
      <p>
        There is nothing at this address for you.{" "}
        <Link href="/" prefetch={false}>
          Go to the start page
        </Link>
        .
      </p>
    </Notice>
  );
}
