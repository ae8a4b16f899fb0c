import Link from "next/link";
import { Notice } from "@/components/ui/notice";

/** Next renders this beside every page, so it must not query anything. */
export default function NotFound() {
  return (
    <Notice title="Page not found">
      <p>
        You don't have access to this page, or it doesn't exist.{" "}
        <Link href="/" prefetch={false}>
          Go to the home page
        </Link>
        .
      </p>
    </Notice>
  );
}
