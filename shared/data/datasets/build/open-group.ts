import type { RowTool } from '../../../core/contracts/dataset-row.ts'
import type { Message } from '../../../core/contracts/message.ts'
import type { Tree } from '../../../core/contracts/tree.ts'
import { offerTools } from '../../../play/methods/tool-dialect.ts'
import { toConversation } from '../../../play/search/conversation.ts'
import type { Attempt, AttemptFacts, TaskGroup } from '../attempt.ts'
import type { Annotations } from '../open-annotations.ts'
import type { OpenAttempts } from '../open-attempts.ts'
import type { Plan, PlannedAttempt, PlannedTask } from './plan.ts'

export interface GroupNeeds {
  attempts: OpenAttempts
  plan: Plan
  asked: { annotations: Pick<Annotations, 'read'>; run: string } | null
}

/** The start of an attempt's prompts: the messages before its first action, and the tools of an agent that calls them. */
export interface AttemptHead {
  messages: readonly Message[]
  tools?: RowTool[]
}

export function headOfTree({ messages, tools }: Pick<Tree, 'messages' | 'tools'>): AttemptHead {
  return { messages, ...(tools && tools.length > 0 && { tools: offerTools(tools) }) }
}

export function openGroup({ asked, attempts, plan }: GroupNeeds, task: PlannedTask) {
  const heads = new Map<Attempt, AttemptHead>()
  /** Most attempts at a task begin with the same head, stored once. */
  const known = new Map<string, AttemptHead>()

  function keep(attempt: Attempt, tree: Tree): void {
    if (heads.has(attempt)) return
    const own = headOfTree(tree)
    const text = JSON.stringify(own)
    const head = known.get(text) ?? own
    known.set(text, head)
    heads.set(attempt, head)
  }

  function open(planned: PlannedAttempt, position: number | null): Attempt {
    const annotation = async () =>
      asked === null || position === null ? null : asked.annotations.read(asked.run, position)
    const attempt = attempts.reopen(listedOf(plan, task, planned), annotation)
    const opened: Attempt = {
      ...attempt,
      async tree() {
        const tree = toConversation(await attempt.tree())
        keep(opened, tree)
        return tree
      },
    }
    return opened
  }

  async function headOf(attempt: Attempt): Promise<AttemptHead> {
    return heads.get(attempt) ?? headOfTree(toConversation(await attempt.tree()))
  }

  const { environment, data, task: id, position } = task
  const group: TaskGroup = {
    environment,
    data,
    task: id,
    attempts: task.attempts.map((planned, index) => open(planned, position + index)),
    experts: task.experts.map((planned) => open(planned, null)),
  }
  return { group, headOf }
}

type Common = Pick<AttemptFacts, 'method' | 'model' | 'seed' | 'max_pictures'>

function listedOf(plan: Plan, task: PlannedTask, planned: PlannedAttempt) {
  const { episode, attempt, status, reward, success, ended, own, scores, steps } = planned
  const { environment, data, task: id, task_split } = task
  const source = plan.sources[planned.source]
  const common: Common | null | undefined = own ?? source?.common
  if (source === undefined || common === undefined || common === null) {
    throw new Error(`The plan does not say where the attempt ${episode} at ${id} is from.`)
  }
  const { method, model, seed, max_pictures } = common
  return {
    facts: {
      source: source.id,
      episode,
      attempt,
      environment,
      data,
      task: id,
      task_split,
      method,
      model,
      status,
      reward,
      success,
      seed,
      ...(max_pictures !== undefined && { max_pictures }),
      ...(scores !== undefined && { scores }),
      ...(steps !== undefined && { steps }),
    },
    part: own?.part ?? null,
    ended,
  }
}
