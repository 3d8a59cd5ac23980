/** Lessons from all task types together have the environment as their group, or none. */
export function isLearnedFor(
  { group }: { group: string | null },
  { environment, type }: { environment: string; type: string },
): boolean {
  return group === null || group === environment || group === type
}
