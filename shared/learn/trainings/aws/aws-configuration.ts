import { z } from 'zod'
import type { TrainingRecipe } from '../../../core/contracts/training.ts'

/**
 * Recipes that `train.py` supports in a job. `prm` needs other packages, and `grpo` a file of the requesting machine.
 */
const recipeSchema = z.enum(['sft', 'dpo', 'kto', 'rpo'] satisfies TrainingRecipe[])

const day = 86_400

export const awsTrainerSchema = z.strictObject({
  kind: z.literal('aws'),
  description: z.string().min(1).optional(),
  region: z.string().min(1).optional().describe('Default: as the AWS_ variables of this process say.'),
  bucket: z.string().min(3).describe('What jobs read and write lies there, below `prefix`.'),
  prefix: z
    .string()
    .regex(/^[\w.-]+(\/[\w.-]+)*$/, 'must be a path without a slash at its ends')
    .default('sagemaker'),
  role: z
    .string()
    .regex(/^arn:[\w-]+:iam::\d{12}:role\/.+$/, 'must be the ARN of a role')
    .describe('The role that jobs take: it may read and write below `prefix`, and pull the image.'),
  image: z.string().min(1).describe('Of `containers/trainer/sagemaker`, in a registry of ECR.'),
  instance_type: z
    .string()
    .regex(/^ml\.\w+\.\w+$/, 'must be a type of SageMaker, as ml.g5.2xlarge')
    .describe('The machine of a job, with all its GPUs.'),
  cost_per_hour: z
    .number()
    .min(0)
    .describe('US dollars for an hour of the instance type, on demand. It has no default.'),
  volume: z.int().min(1).max(16_384).default(100).describe('GB of the disk of a job.'),
  spot: z.boolean().default(true).describe('Whether jobs run on Spot capacity.'),
  spot_wait: z
    .int()
    .min(0)
    .max(28 * day)
    .default(day)
    .describe('Seconds for which a job waits for Spot capacity, all waits together.'),
  max_runtime: z
    .int()
    .min(60)
    .max(28 * day)
    .default(day)
    .describe('Seconds of work of one job; a training that takes longer goes on with another job.'),
  jobs: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,23}$/, 'must be lower-case letters, digits and dashes, at most 24')
    .default('espalier')
    .describe('How the names of its jobs begin.'),
  environment: z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of a variable'), z.string())
    .default({})
    .describe('Variables of a job, as HF_ENDPOINT. SageMaker shows them: no secrets.'),
  recipes: z.array(recipeSchema).min(1).default(['sft', 'dpo', 'kto', 'rpo']).describe('What it can do.'),
  at_once: z.int().min(1).max(64).default(4).describe('Trainings side by side.'),
  look_every: z.number().min(0.05).max(3600).default(30).describe('Seconds between two looks at a training.'),
})

export type AwsTrainerConfiguration = z.infer<typeof awsTrainerSchema>
