import { administratorPermissions, type Permission, within } from "@/lib/members/roles";

/** The members of a workspace who must use two-step verification. */
export const twoStepRules = ["nobody", "administrators", "everyone"] as const;
export type TwoStepRule = (typeof twoStepRules)[number];

export function isConcerned(rule: TwoStepRule, permissions: readonly Permission[]): boolean {
  return rule === "everyone" || (rule === "administrators" && within(permissions, administratorPermissions));
}
