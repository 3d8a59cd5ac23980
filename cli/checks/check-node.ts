import { type Check, fail, ok } from './check.ts'

const required = 24

export function checkNode(version: string): Check {
  const [major] = version.split('.').map(Number)
  return major !== undefined && major >= required
    ? ok('node', `Node ${version}`)
    : fail(
        'node',
        `Node ${version} is too old.`,
        `Run the npm scripts, or install Node ${required} or later.`,
      )
}
