import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { DataPack, PackFormat } from '../../shared/environments/data-pack.ts'
import type { PureEnvironment } from '../../shared/environments/environment.ts'
import type { EnvironmentDefinition } from '../../shared/environments/environment-definition.ts'

/** A game of riddles, one for each `.txt` file of a pack: its first line is asked, its second is the answer. */
export function toyDefinition(downloads: PackFormat['downloads'] = []): EnvironmentDefinition {
  return {
    id: 'riddles',
    pack: {
      description: 'riddles as .txt files',
      downloads,
      async *collect(source) {
        const paths = source.files.filter((path) => path.endsWith('.txt'))
        if (paths.length === 0)
          throw new EspalierError('invalid_request', 'There is no .txt file in the folder.')
        for (const path of paths) yield { path, body: await source.read(path) }
      },
      filesOf: (task) => [`${task}.txt`],
    },
    open: openRiddles,
  }
}

async function openRiddles(pack: DataPack | null): Promise<PureEnvironment> {
  const riddles = new Map([['built-in', ['What is 1 + 1?', '2']]])
  for (const path of pack?.files ?? []) {
    const lines = Buffer.from((await pack?.read(path)) ?? '')
      .toString('utf8')
      .split('\n')
    if (lines.length < 2)
      throw new EspalierError('invalid_request', `${path} has no answer in its second line.`)
    riddles.set(path.replace(/\.txt$/, ''), lines)
  }
  if (pack !== null) riddles.delete('built-in')
  const find = (task: string): string[] => {
    const riddle = riddles.get(task)
    if (riddle) return riddle
    throw new EspalierError('unknown_task', `There is no riddle "${task}".`)
  }
  return {
    id: 'riddles',
    description: 'Answer a riddle.',
    snapshot: 'native',
    deterministic: true,
    success_threshold: 1,
    default_max_steps: 3,
    tasks: () =>
      Array.from(riddles.keys(), (id) => ({
        id,
        split: 'test',
        type: 'riddle',
        description: `The riddle ${id}.`,
      })),
    describe: () => ({ rules: 'Answer in one word.', example: null }),
    async open(task) {
      const [question = '', answer = ''] = find(task)
      return {
        reset: () => ({ state: { tried: 0 }, observation: question }),
        step(state, action) {
          const isRight = action === answer
          return {
            state: { tried: Number(state.tried) + 1 },
            observation: isRight ? 'Right.' : 'Wrong.',
            reward: isRight ? 1 : 0,
            done: isRight,
            valid: true,
            progress: isRight ? 1 : 0,
          }
        },
      }
    },
  }
}
