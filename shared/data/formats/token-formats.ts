import type { DatasetFormatId } from '../../core/contracts/dataset.ts'
import type { DatasetRow } from '../../core/contracts/dataset-row.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import { filledSplits } from './data-files.ts'
import {
  canonicalRolloutColumns,
  primeRlColumns,
  skyrlColumns,
  tinkerColumns,
  verlColumns,
} from './token-columns.ts'
import { checkWholeBranch, knownAdvantages, knownLogprobs, type Rollout, showTokens } from './token-rows.ts'
import { type DatasetFormat, type FormatFacts, UnfitRowError, unsupportedRow } from './trainer-format.ts'

/** Formats of trainers that learn from tokens by reinforcement: JSON lines with the fields of the trainer's own class. */
export const tokenFormats: readonly DatasetFormat[] = [
  {
    ...tokenFormat('jsonl', 'Rollouts and their trees as JSON lines, for a trainer of your own.', (row) => ({
      ...row,
    })),
    kinds: ['rollouts', 'rollout-trees'],
    columns: (kind) => canonicalRolloutColumns[kind] ?? null,
    write(row): JsonObject {
      if (row.type === 'rollout' || row.type === 'rollout-tree') return { ...row }
      throw unsupportedRow('jsonl', row.type)
    },
    usage: (facts) => usageOf(facts, 'Your own loop', 'print(rows[0].keys())'),
  },
  {
    ...tokenFormat('verl', 'verl: the fields of `AgentLoopOutput` (verl 0.9.1).', (row) => {
      checkWholeBranch(row, 'verl')
      return {
        prompt_ids: row.prompt_ids,
        response_ids: row.completion_ids,
        response_mask: row.completion_mask,
        response_logprobs: knownLogprobs(row),
        reward_score: row.reward,
        num_turns: turnsIn(row),
        metrics: {},
        extra_fields: { group: row.group, versions: row.versions, advantages: row.advantages },
      }
    }),
    columns: () => verlColumns,
    usage: (facts) =>
      usageOf(
        facts,
        'verl',
        `from verl.experimental.agent_loop.agent_loop import AgentLoopOutput

outputs = [AgentLoopOutput(**row) for row in rows]`,
      ),
  },
  {
    ...tokenFormat('skyrl', 'SkyRL: one trajectory of `GeneratorOutput` (skyrl 0.3.0).', (row) => {
      checkWholeBranch(row, 'SkyRL')
      return {
        prompt_token_ids: row.prompt_ids,
        response_ids: row.completion_ids,
        reward: row.reward,
        loss_mask: row.completion_mask,
        rollout_logprobs: knownLogprobs(row),
        group: row.group,
        advantages: row.advantages,
      }
    }),
    columns: () => skyrlColumns,
    usage: (facts) =>
      usageOf(
        facts,
        'SkyRL',
        `output = {  # skyrl.train.generators.base.GeneratorOutput
    "prompt_token_ids": [row["prompt_token_ids"] for row in rows],
    "response_ids": [row["response_ids"] for row in rows],
    "rewards": [row["reward"] for row in rows],
    "loss_masks": [row["loss_mask"] for row in rows],
    "rollout_logprobs": [row["rollout_logprobs"] for row in rows],
    "stop_reasons": None,
    "rollout_metrics": None,
}`,
      ),
  },
  {
    // Its orchestrator also makes several samples of a trace with one advantage, and its loss averages over tokens.
    ...tokenFormat('prime-rl', 'prime-rl: the fields of `TrainingSample` (prime-rl 0.8.0).', (row) => {
      const prompt = <Value>(value: Value) => row.prompt_ids.map(() => value)
      return {
        token_ids: [...row.prompt_ids, ...row.completion_ids],
        mask: [...prompt(false), ...row.completion_mask.map((own) => own === 1)],
        logprobs: [...prompt(0), ...knownLogprobs(row)],
        temperatures: [...row.prompt_ids, ...row.completion_ids].map(() => temperatureOf(row)),
        env_name: row.group.split('/')[0] ?? row.group,
        advantages: [...prompt(0), ...knownAdvantages(row)],
      }
    }),
    columns: () => primeRlColumns,
    usage: (facts) =>
      usageOf(
        facts,
        'prime-rl',
        `from prime_rl.transport.types import TrainingSample

samples = [TrainingSample(**row) for row in rows]`,
      ),
  },
  {
    // Several parts are several data with the branch's advantages, as tinker-cookbook makes them (trajectory_to_data).
    ...tokenFormat(
      'tinker',
      'Tinker API: the parts of a `Datum` for the loss `importance_sampling` (tinker 0.38.0).',
      (row) => {
        const tokens = [...row.prompt_ids, ...row.completion_ids]
        const before = row.prompt_ids.slice(1).map(() => 0)
        return {
          tokens: tokens.slice(0, -1),
          target_tokens: tokens.slice(1),
          logprobs: [...before, ...knownLogprobs(row)],
          advantages: [...before, ...knownAdvantages(row)],
          reward: row.reward,
          group: row.group,
        }
      },
    ),
    columns: () => tinkerColumns,
    usage: (facts) =>
      usageOf(
        facts,
        'Tinker',
        `from tinker import types

data = [
    types.Datum(
        model_input=types.ModelInput.from_ints(row["tokens"]),
        loss_fn_inputs={name: row[name] for name in ("target_tokens", "logprobs", "advantages")},
    )
    for row in rows
]`,
      ),
  },
]

function tokenFormat(
  id: DatasetFormatId,
  description: string,
  write: (row: Rollout) => JsonObject,
): Omit<DatasetFormat, 'usage'> {
  return {
    id,
    description,
    container: 'jsonl',
    readsGzip: true,
    kinds: ['rollouts'],
    write(row: DatasetRow) {
      if (row.type === 'rollout') return write(row)
      throw unsupportedRow(id, row.type)
    },
    show: showTokens,
    companions: () => [],
  }
}

// As verl counts: the prompt, and each run of tokens of the agent or of the environment.
function turnsIn({ completion_mask: mask }: Rollout): number {
  return 1 + mask.filter((own, place) => own !== (mask[place - 1] ?? 0)).length
}

function temperatureOf({ temperature }: Rollout): number {
  if (temperature !== null) return temperature
  throw new UnfitRowError('prime-rl needs the temperature of its calls, which is unknown or differs')
}

function usageOf(facts: FormatFacts, name: string, code: string): string {
  const [[, files] = ['train', []]] = filledSplits(facts)
  return `### ${name}

\`\`\`python
import gzip, json

rows = [json.loads(line) for name in ${JSON.stringify(files)} for line in gzip.open(name, "rt")]
${code}
\`\`\``
}
