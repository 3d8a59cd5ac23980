/** Whether a source is imported trajectories, which have no page of their own; else it is a run. */
export function isImport(source: string): boolean {
  return source.startsWith('import-')
}
