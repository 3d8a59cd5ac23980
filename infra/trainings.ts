import { Aws, CfnOutput, Stack, Validations } from 'aws-cdk-lib'
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { flattenCfnReference } from 'cdk-nag/lib/utils/flatten-cfn-reference.js'
import { Construct } from 'constructs'
import type { FunctionInputs } from './function-inputs.ts'
import * as grants from './grants.ts'
import { trainerAsset } from './images/container-images.ts'

const prefix = 'sagemaker'

/**
 * Optional resources for trainings in SageMaker jobs: the image, the jobs' role, and a policy for accounts that start
 * them. No function of the stage has that permission. Your own service trains there, with the trainer `aws` of its
 * `trainers.json`.
 */
export class Trainings extends Construct {
  readonly role: Role
  readonly policy: ManagedPolicy

  constructor(scope: Construct, id: string, { stage, storage }: Pick<FunctionInputs, 'stage' | 'storage'>) {
    super(scope, id)
    const { partition, stackName } = Stack.of(this)
    const { bucket } = storage
    const image = trainerAsset(this)
    this.role = new Role(this, 'Job', {
      roleName: `${stackName}-trainings`,
      assumedBy: new ServicePrincipal('sagemaker.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
      description: `Training jobs of stage ${stage}`,
    })
    const ownLogs = `arn:${partition}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:log-group:/aws/sagemaker/TrainingJobs`
    const ofJobs: grants.Grant[] = [
      grants.readObjects(bucket, [prefix]),
      grants.writeObjects(bucket, [prefix]),
      grants.listObjects(bucket),
      {
        actions: ['ecr:BatchGetImage', 'ecr:GetDownloadUrlForLayer', 'ecr:BatchCheckLayerAvailability'],
        resources: [image.repository.repositoryArn],
      },
      {
        actions: ['ecr:GetAuthorizationToken'],
        resources: ['*'],
        wildcards: 'ecr:GetAuthorizationToken has no resource that a right could name.',
      },
      {
        actions: [
          'logs:CreateLogGroup',
          'logs:CreateLogStream',
          'logs:PutLogEvents',
          'logs:DescribeLogStreams',
        ],
        resources: [ownLogs, `${ownLogs}:log-stream:${stackName}-*`],
        wildcards:
          'SageMaker names the streams of a job by the job, whose name begins with that of the stage.',
      },
    ]
    for (const grant of ofJobs) this.role.addToPolicy(grants.toStatement(grant))
    acknowledge(this.role, ofJobs)

    const jobs = `arn:${partition}:sagemaker:${Aws.REGION}:${Aws.ACCOUNT_ID}:training-job/${stackName}-*`
    const ofService: grants.Grant[] = [
      {
        actions: [
          'sagemaker:CreateTrainingJob',
          'sagemaker:DescribeTrainingJob',
          'sagemaker:StopTrainingJob',
        ],
        resources: [jobs],
        wildcards: 'Jobs are named by their trainings; their names begin with that of the stage.',
      },
      {
        actions: ['sagemaker:AddTags'],
        resources: [jobs],
        conditions: { StringEquals: { 'sagemaker:TaggingAction': 'CreateTrainingJob' } },
        wildcards: 'Jobs are named by their trainings; tags are given only when one is made.',
      },
      {
        actions: ['iam:PassRole'],
        resources: [this.role.roleArn],
        conditions: { StringEquals: { 'iam:PassedToService': 'sagemaker.amazonaws.com' } },
      },
      grants.readObjects(bucket, [prefix]),
      grants.writeObjects(bucket, [prefix]),
      grants.deleteObjects(bucket, [prefix]),
      grants.listObjects(bucket),
    ]
    this.policy = new ManagedPolicy(this, 'Start', {
      managedPolicyName: `${stackName}-trainings`,
      description: `Starts, looks at and stops training jobs of stage ${stage}`,
      statements: ofService.map(grants.toStatement),
    })
    acknowledge(this.policy, ofService)
    // An entry for `trainers.json`.
    const trainer = {
      kind: 'aws',
      region: Aws.REGION,
      bucket: bucket.bucketName,
      prefix,
      role: this.role.roleArn,
      image: image.imageUri,
      jobs: stackName,
    }
    new CfnOutput(Stack.of(this), 'Trainer', { value: Stack.of(this).toJsonString(trainer) })
    new CfnOutput(Stack.of(this), 'TrainerPolicy', { value: this.policy.managedPolicyArn })
  }
}

function acknowledge(holder: Construct, given: readonly grants.Grant[]): void {
  for (const { resources, wildcards } of given) {
    for (const resource of wildcards === undefined ? [] : resources) {
      const name = flattenCfnReference(Stack.of(holder).resolve(resource))
      if (!name.includes('*')) continue
      Validations.of(holder).acknowledge({
        id: `AwsSolutions-IAM5[Resource::${name}]`,
        reason: wildcards ?? '',
      })
    }
  }
}
