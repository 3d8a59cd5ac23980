import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { loraSchema, type TrainingRecipe } from '../../../shared/core/contracts/training.ts'
import type { TemplateName } from '../../../shared/learn/trainings/command/command-configuration.ts'
import type { TemplateJob } from '../../../shared/learn/trainings/command/templates/template.ts'
import { resolveHyperparameters } from '../../../shared/learn/trainings/recipes.ts'

export interface JobFacts {
  recipe?: TrainingRecipe
  kind?: string
  kinds?: string[]
  /** Over the recipe's defaults. */
  hyperparameters?: JsonObject
  /** An adapter, added to the weights or not. */
  merge?: boolean
  resume?: string
  share?: number
  devices?: number
  settings?: JsonObject
}

/** What the trainer’s settings say to each tool. */
const usualSettings: Record<TemplateName, JsonObject> = {
  llamafactory: { template: 'qwen' },
  axolotl: {},
  torchtune: {
    model: 'torchtune.models.qwen2_5.qwen2_5_0_5b',
    model_type: 'QWEN2',
    tokenizer: {
      _component_: 'torchtune.models.qwen2_5.qwen2_5_tokenizer',
      path: 'vocab.json',
      merges_file: 'merges.txt',
    },
  },
  xtuner: { prompt_template: 'qwen_chat' },
}

const programs: Partial<Record<TemplateName, string>> = {
  llamafactory: 'llamafactory-cli',
  torchtune: 'tune',
}

/** A training of two datasets as a template is given it, that its tool can do. */
export function templateJob(template: TemplateName, facts: JobFacts = {}): TemplateJob {
  const { recipe = 'sft', kind = 'sft', kinds = [kind, kind], share = null, devices = 1 } = facts
  return {
    recipe,
    base: { folder: '/models/base' },
    hyperparameters: {
      ...resolveHyperparameters(recipe, {}),
      long_rows: 'truncate',
      ...facts.hyperparameters,
    },
    lora: facts.merge === undefined ? null : loraSchema.parse({ merge: facts.merge }),
    seed: 7,
    checkpointSteps: null,
    keepCheckpoints: 3,
    data: kinds.map((each, index) => ({
      kind: each,
      share,
      rows: 1000,
      names: [`${index + 1}-data-00001.jsonl`],
    })),
    places: {
      job: '/work/job.json',
      data: '/work/data',
      output: '/work/output',
      work: '/work',
      resume: facts.resume ?? null,
    },
    settings: facts.settings ?? usualSettings[template],
    program: programs[template] ?? template,
    devices,
    hasGpu: false,
  }
}
