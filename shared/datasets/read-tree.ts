import { EspalierError } from '../contracts/errors.ts'
import { type Tree, treeSchema } from '../contracts/tree.ts'
import type { Runs } from '../engine/runs/runs.ts'
import type { Objects } from '../world/ports.ts'

/** The tree of an episode, from where it is stored or as it stands. */
export async function readTree(
  needs: { objects: Objects; runs: Pick<Runs, 'tree'> },
  run: string,
  episode: string,
): Promise<Tree> {
  const answer = await needs.runs.tree(run, episode)
  if ('live' in answer) return treeSchema.parse(answer.live)
  const object = await needs.objects.get(answer.stored)
  if (object === null) {
    throw new EspalierError(
      'not_found',
      `The tree of episode ${episode} of ${run} is missing under ${answer.stored}. Leave the run out, or restore the file.`,
      { param: 'runs' },
    )
  }
  return treeSchema.parse(JSON.parse(Buffer.from(object.body).toString('utf8')))
}
