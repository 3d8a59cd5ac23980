import { join } from 'node:path'
import { Aws, CfnOutput, IgnoreMode, Stack, Validations } from 'aws-cdk-lib'
import { DockerImageAsset, Platform } from 'aws-cdk-lib/aws-ecr-assets'
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { flattenCfnReference } from 'cdk-nag/lib/utils/flatten-cfn-reference.js'
import { Construct } from 'constructs'
import { projectRoot } from './bundling.ts'
import * as grants from './grants.ts'
import type { ServiceParts } from './service-parts.ts'

/** Where trainings have their files in the bucket of the stage, and how the names of their jobs begin. */
const prefix = 'sagemaker'

/**
 * What trainings in jobs of SageMaker need, where a stage is to have it: the image of their program, the role that jobs take, and a
 * policy for who starts them. No function of the stage has that right: a service of one's own trains there, by the trainer `aws` of
 * its `trainers.json`.
 */
export class Trainings extends Construct {
  readonly role: Role
  readonly policy: ManagedPolicy

  constructor(scope: Construct, id: string, { stage, storage }: Pick<ServiceParts, 'stage' | 'storage'>) {
    super(scope, id)
    const { partition, stackName } = Stack.of(this)
    const { bucket } = storage
    const image = new DockerImageAsset(this, 'Image', {
      directory: projectRoot,
      file: join('containers', 'trainer', 'sagemaker', 'Dockerfile'),
      exclude: ['*', '!containers/trainer'],
      ignoreMode: IgnoreMode.DOCKER,
      // The GPUs of SageMaker's machines stand beside such processors.
      platform: Platform.LINUX_AMD64,
    })
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
    // As `trainers.json` takes it.
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

/** Answers for the wildcards of rights one by one. */
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
