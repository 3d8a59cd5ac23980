import { expect, test } from 'vitest'
import type { Message } from '../../../shared/core/contracts/message.ts'
import { createRandom } from '../../../shared/core/random/random.ts'
import { isPure } from '../../../shared/environments/environment.ts'
import { definitions } from '../../../shared/environments/environments.ts'
import { openEnvironments } from '../../../shared/environments/open-environments.ts'
import { players } from '../../../shared/play/simulated/players.ts'

const environments = openEnvironments(definitions, null)
const played = definitions.flatMap(({ id, simulated }) =>
  simulated === undefined ? [] : [{ id, simulated }],
)

/** First observations as hosts show them, of environments whose guide has no example. */
const hostsShow: Readonly<Record<string, string>> = {
  sites: "Objective: Find a lamp.\nURL: http://shop.com\n\n[1] RootWebArea 'Shop'\n\t[2] link 'Lamps'",
  desktop:
    'Objective: Close the window.\n\ntag\tname\ttext\tclass\tdescription\tposition (top-left x&y)\tsize (w&h)\npush-button\tClose\t\t\t\t(10, 10)\t(20, 20)',
}

/** First prompts of an environment: of its guide's example, and of tasks of its own. */
async function promptsOf(id: string): Promise<Message[][]> {
  const { environment } = await environments.open(id)
  const [first] = environment.tasks()
  if (first === undefined) throw new Error(`${id} has no task.`)
  const { rules, example } = environment.describe(first)
  const own = isPure(environment)
    ? await Promise.all(
        environment
          .tasks()
          .slice(0, 5)
          .map(async (task) => (await environment.open(task.id)).reset(task.id, 1).observation),
      )
    : []
  const shown = [example?.observation ?? hostsShow[id] ?? [], own].flat()
  return shown.map((content) => [
    { role: 'system', content: rules },
    { role: 'user', content },
  ])
}

test.each(played)('prompts of $id are read by its own player alone', async ({ id, simulated }) => {
  const { name } = await simulated()
  const prompts = await promptsOf(id)
  expect(prompts).not.toEqual([])
  for (const prompt of prompts) {
    const readers = players.filter(
      (player) => player.translate?.(prompt) || player.answer(prompt, 1, createRandom(1)) !== null,
    )
    expect(readers.map((player) => player.name)).toEqual([name])
    const experts = players.filter(({ expert }) => expert?.look(prompt))
    expect(experts.every((player) => player.name === name)).toBe(true)
  }
})
