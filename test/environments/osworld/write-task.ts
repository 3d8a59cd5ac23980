/** A task as OSWorld's files have it: one that needs nothing but Calc, with parts of a test's own. */
export function writeTask(id: string, parts: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id,
    snapshot: 'libreoffice_calc',
    instruction: 'Put 5 into\nthe cell A1.',
    source: 'https://example.org/question',
    config: [],
    trajectory: 'trajectories/',
    related_apps: ['libreoffice_calc'],
    evaluator: { func: 'exact_match', result: { type: 'vm_command_line', command: ['true'] } },
    ...parts,
  }
}

/** The set-up that gets files from elsewhere. */
export function download(...files: [url: string, path: string][]) {
  return { type: 'download', parameters: { files: files.map(([url, path]) => ({ url, path })) } }
}
