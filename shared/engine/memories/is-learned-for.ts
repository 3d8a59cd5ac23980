/**
 * Whether a note or an action is for tasks of a type: what was learned of all types together has the environment for its group,
 * or none.
 */
export function isLearnedFor(
  { group }: { group: string | null },
  { environment, type }: { environment: string; type: string },
): boolean {
  return group === null || group === environment || group === type
}
