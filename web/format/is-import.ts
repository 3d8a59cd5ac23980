/** True if a source is an import of trajectories, which has no page; otherwise it is a run. */
export function isImport(source: string): boolean {
  return source.startsWith('import-')
}
