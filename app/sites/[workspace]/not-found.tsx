import Link from "next/link";
import { Notice } from "@/components/ui/notice";

/** Next renders this beside every page, so it must not query anything. */
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
