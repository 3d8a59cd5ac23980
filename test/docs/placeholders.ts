import type { Workshop } from './workshop.ts'

/** What the names in capitals stand for on one page. */
export interface Placeholders {
  /** Makes what a command changes: each such command has a run that was made for it. */
  prepare(words: readonly string[]): Promise<void>
  /** Puts what there is in place of what the document says. */
  fill(text: string, words: readonly string[]): string
  /** Notes what a command has made. */
  remember(words: readonly string[]): Promise<void>
}

const names = /\b(OTHER_RUN|ROLLOUT|RUN|EPISODE|DATASET|MEMORY|LIBRARY|KEY|TRAJECTORIES|ID)\b/g

export function openPlaceholders({ made, client, runFor }: Workshop): Placeholders {
  const known: Record<string, string | undefined> = { ...made }
  /** The run that is paused, resumed, cancelled, extended or retried. */
  let changed: string | undefined

  return {
    async prepare([, command = '']) {
      if (['pause', 'retry', 'extend', 'delete'].includes(command)) changed = await runFor(command)
      if (command === 'resume') {
        // What the page itself has started: a run that met its cap.
        const [newest] = (await client.runs({ limit: 1 })).data
        if (newest?.status === 'paused') changed = newest.id
      }
    },
    fill(text, [program, command = '']) {
      const changes = program === 'espalier' && /^(pause|resume|cancel|retry|extend|delete)$/.test(command)
      return text.replaceAll(names, (name) => {
        const value = name === 'RUN' && changes ? changed : known[name]
        if (value === undefined) throw new Error(`Nothing has made what ${name} stands for.`)
        return value
      })
    },
    async remember([command, part]) {
      if (command === 'keys' && part === 'create') known.KEY = (await client.keys({ limit: 1 })).data[0]?.id
      if (command === 'import' || command === 'curl') {
        const id = (await client.imports({ limit: 1 })).data[0]?.id
        known.ID = id ?? known.ID
        known.ROLLOUT = (await client.rollouts({ limit: 1 })).data[0]?.id ?? known.ROLLOUT
      }
    },
  }
}
