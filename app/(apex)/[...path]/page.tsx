import type { Metadata } from "next";
import { Nowhere } from "../_nowhere";

export const metadata: Metadata = { title: "Not found", robots: { index: false } };

export default Nowhere;
