"use client";

import { useEffect, useRef } from "react";

/** Inside a form, submits it once the page is ready. Without scripts, the form's button does. */
export function SubmitOnLoad() {
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => mark.current?.closest("form")?.requestSubmit(), []);
  return <span ref={mark} hidden />;
}
