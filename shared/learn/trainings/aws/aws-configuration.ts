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
  region: z
    .string()
    .min(1)
    .optional()
    .describe('AWS region. Default: that of the AWS_ variables of this process.'),
  bucket: z.string().min(3).describe('S3 bucket for the files that jobs read and write, below `prefix`.'),
  prefix: z
    .string()
    .regex(/^[\w.-]+(\/[\w.-]+)*$/, 'must be a path without a slash at its ends')
    .default('sagemaker'),
  role: z
    .string()
    .regex(/^arn:[\w-]+:iam::\d{12}:role\/.+$/, 'must be the ARN of a role')
    .describe(
      'IAM role of the jobs; it must be allowed to read and write below `prefix` and to pull the image.',
    ),
  image: z.string().min(1).describe('Image built from `containers/trainer/sagemaker`, in an ECR registry.'),
  instance_type: z
    .string()
    .regex(/^ml\.\w+\.\w+$/, 'must be a type of SageMaker, as ml.g5.2xlarge')
    .describe('SageMaker instance type of a job; a job uses all its GPUs.'),
  cost_per_hour: z
    .number()
    .min(0)
    .describe('On-demand price of the instance type, in US dollars per hour. It has no default.'),
  volume: z.int().min(1).max(16_384).default(100).describe('Disk size of a job, in GB.'),
  spot: z.boolean().default(true).describe('True to run jobs on Spot capacity.'),
  spot_wait: z
    .int()
    .min(0)
    .max(28 * day)
    .default(day)
    .describe('Maximum seconds that a job waits for Spot capacity, all waits together.'),
  max_runtime: z
    .int()
    .min(60)
    .max(28 * day)
    .default(day)
    .describe('Maximum working time of one job, in seconds; a longer training continues in another job.'),
  jobs: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,23}$/, 'must be lower-case letters, digits and dashes, at most 24')
    .default('espalier')
    .describe('Prefix of the names of its jobs.'),
  environment: z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of a variable'), z.string())
    .default({})
    .describe(
      'Environment variables of a job, such as HF_ENDPOINT. SageMaker shows them, so use no secrets.',
    ),
  recipes: z
    .array(recipeSchema)
    .min(1)
    .default(['sft', 'dpo', 'kto', 'rpo'])
    .describe('Training recipes that it supports.'),
  at_once: z.int().min(1).max(64).default(4).describe('Maximum number of parallel trainings.'),
  look_every: z
    .number()
    .min(0.05)
    .max(3600)
    .default(30)
    .describe('Seconds between two status checks of a training.'),
})

export type AwsTrainerConfiguration = z.infer<typeof awsTrainerSchema>
