import type { z } from 'zod'
import { EspalierError } from '../../../core/contracts/errors.ts'
import type { Json, JsonObject } from '../../../core/contracts/json.ts'
import { modelFailureOf } from '../../../core/contracts/model-failure.ts'
import { wellFormed } from '../../../core/contracts/well-formed.ts'
import type { ProgramQuestion } from '../../../core/programs/program-process.ts'
import type { MethodScope } from '../method-scope.ts'
import { describeMethodNode, describeNote, RequestAnswers } from './answer-request.ts'
import { performedAnswerSchema, turnAnswerSchema } from './method-messages.ts'

export interface FunctionProcess {
  ask<Schema extends z.ZodType>(question: ProgramQuestion, schema: Schema): Promise<z.output<Schema>>
}

export interface PlayedFunction {
  method: string
  parameters: object
  takesDetails: boolean
}

/**
 * Plays one episode: starts the function and answers its requests, one result after the other in journal order, so
 * that replays are the same. The function runs only between two results.
 *
 * @throws Error the function's own
 */
export async function playFunction(
  process: FunctionProcess,
  scope: MethodScope,
  { method, parameters, takesDetails }: PlayedFunction,
): Promise<void> {
  const answers = new RequestAnswers(scope, { takesDetails, perform: (call) => perform(process, call) })
  const { actions, defaultMaxSteps, notes, objective, rules, tree } = scope
  const episode = {
    ...{ objective, rules, default_max_steps: defaultMaxSteps, success_threshold: tree.successThreshold },
    ...{ root: describeMethodNode(tree.root, takesDetails), notes: notes.map(describeNote), actions },
  }
  const waiting = new Map<number, Promise<JsonObject>>()
  const go = (question: ProgramQuestion) => scope.compute(() => ask(process, question, turnAnswerSchema))
  let turn = await go({ op: 'play', method, parameters, episode })
  while (!turn.done) {
    for (const request of turn.requests) {
      const answered = answers.answer(wellFormed(request)).then(
        (result) => ({ call: request.call, result }) as JsonObject,
        (error: unknown) => ({ call: request.call, error: messageOf(error) }),
      )
      waiting.set(request.call, answered)
    }
    const reply = await Promise.race(waiting.values())
    waiting.delete(reply.call as number)
    turn = await go({ op: 'go', ...reply })
  }
}

async function perform(process: FunctionProcess, call: number): Promise<Json> {
  return (await ask(process, { op: 'perform', call }, performedAnswerSchema)).result
}

async function ask<Schema extends z.ZodType>(
  process: FunctionProcess,
  question: ProgramQuestion,
  schema: Schema,
): Promise<z.output<Schema>> {
  try {
    return await process.ask(question, schema)
  } catch (error) {
    if (!EspalierError.isInstance(error) || modelFailureOf(error) !== null) throw error
    throw new Error(error.message, { cause: error })
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
