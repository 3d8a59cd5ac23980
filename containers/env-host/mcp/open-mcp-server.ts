import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { FacadeSessions } from '../facade-sessions.ts'
import { errorText, type HostLog } from '../host-log.ts'
import { OpenenvEpisode } from '../openenv/openenv-episode.ts'
import type { OpenenvResult } from '../openenv/openenv-schemas.ts'
import { Turns } from '../turns.ts'

const resetShape = {
  task: z
    .string()
    .optional()
    .describe('A task by its id. Without it, the seed takes one, or the first is played.'),
  seed: z.int().nonnegative().optional().describe("The environment's seed."),
}

const stepShape = {
  action: z.string().describe('What to do, as the rules of the environment have it written.'),
}

const resultShape = {
  observation: z.string().describe('What the environment says.'),
  reward: z.number().describe("The step's share of the reward. The sum over steps is the episode's reward."),
  total: z.number().describe("The episode's reward if it ends here."),
  done: z.boolean().describe('Whether the task is over.'),
  valid: z.boolean().describe('Whether the action was understood and could be taken.'),
  progress: z.number().describe('How much of the goal was reached at best so far, 0 to 1.'),
}

export async function openMcpServer(
  environment: string,
  sessions: FacadeSessions,
  log: HostLog,
): Promise<{ server: McpServer; close(): Promise<void> }> {
  const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js')
  const facts = await sessions.describe(environment)
  const [first] = facts.tasks()
  const rules = first === undefined ? '' : facts.describe(first).rules
  const server = new McpServer(
    { name: `espalier-${environment}`, version: '1' },
    { instructions: `${facts.description}\n\n${rules}`.trim() },
  )
  const episode = new OpenenvEpisode(environment, sessions)
  const turns = new Turns()

  const answer = (play: () => Promise<OpenenvResult>) =>
    turns.take(async () => {
      try {
        const { observation, reward, done } = await play()
        const { text, valid, progress } = observation
        const structuredContent = {
          observation: text,
          reward: reward ?? 0,
          total: episode.total,
          done,
          valid,
          progress,
        }
        return { content: [{ type: 'text' as const, text }], structuredContent }
      } catch (error) {
        if (!EspalierError.isInstance(error)) log('error', 'mcp.failed', { error: errorText(error) })
        const text = EspalierError.isInstance(error)
          ? error.message
          : 'Something went wrong inside the host; see its log.'
        return { content: [{ type: 'text' as const, text }], isError: true }
      }
    })

  server.registerTool(
    'reset',
    {
      description: 'Begins a task anew and shows its start.',
      inputSchema: resetShape,
      outputSchema: resultShape,
    },
    ({ task, seed }) => answer(() => episode.reset({ task, seed })),
  )
  server.registerTool(
    'step',
    {
      description: 'Takes one action in the task that was begun.',
      inputSchema: stepShape,
      outputSchema: resultShape,
    },
    ({ action }) => answer(() => episode.step(action)),
  )
  return {
    server,
    close: async () => {
      await server.close()
      await turns.take(() => episode.close())
    },
  }
}
