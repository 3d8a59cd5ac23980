import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, Duration, RemovalPolicy, Stack, Tags, Validations } from 'aws-cdk-lib'
import { BuildSpec, ComputeType, LinuxArmBuildImage, Project, Source } from 'aws-cdk-lib/aws-codebuild'
import { Repository } from 'aws-cdk-lib/aws-ecr'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import { Asset } from 'aws-cdk-lib/aws-s3-assets'
import { StringParameter } from 'aws-cdk-lib/aws-ssm'
import { deployedImages } from '../deployed-images.ts'
import { digestOfFolder } from '../digest-of-folder.ts'
import { type Grant, giveTo } from '../grants.ts'
import { type ImageBuilds, imagesStackOf, stageImagesParameter } from '../stage-facts.ts'
import type { StageSettings } from '../stage-settings.ts'
import { runScript } from './container-images.ts'
import { copyDockerfile } from './copied-contexts.ts'

const script = 'build-images.sh'

/**
 * Builds a stage's images inside the account, without Docker on the deployer's machine: a project of CodeBuild for ARM, and the
 * repository that keeps them. Each deployment brings the sources, and starts a build before it deploys the stage.
 */
export class ImagesStack extends Stack {
  constructor(app: App, { stage, maxWorkers }: StageSettings) {
    super(app, imagesStackOf(stage), { description: `Espalier, the images of stage ${stage}` })
    const images = [
      ...deployedImages().map(({ id, folder }) => ({ id, folder })),
      ...(maxWorkers > 0 ? [{ id: 'worker', folder: 'containers/worker' }] : []),
    ]
    const repository = new Repository(this, 'Repository', {
      repositoryName: this.stackName,
      imageScanOnPush: true,
      // A stage runs digests of earlier builds until its next deployment succeeds.
      lifecycleRules: images.map(({ id }) => ({ tagPrefixList: [`${id}.`], maxImageCount: 10 })),
      emptyOnDelete: true,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const logs = new LogGroup(this, 'Logs', {
      logGroupName: `/espalier/${stage}/images`,
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const sources = this.#packSources(images, stage)
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codebuild.amazonaws.com') })
    for (const grant of rights(repository, logs, sources)) giveTo(role, grant)
    const project = new Project(this, 'Project', {
      projectName: this.stackName,
      // The CDK would add rights on whole buckets and groups.
      role: role.withoutPolicyUpdates(),
      grantReportGroupPermissions: false,
      description: `Builds the images of the stage ${stage}`,
      source: Source.s3({ bucket: sources.bucket, path: sources.s3ObjectKey }),
      environment: {
        buildImage: LinuxArmBuildImage.AMAZON_LINUX_2023_STANDARD_3_0,
        computeType: ComputeType.LARGE,
        privileged: true,
      },
      environmentVariables: { REPOSITORY: { value: repository.repositoryUri } },
      buildSpec: BuildSpec.fromObject({
        version: '0.2',
        env: { 'exported-variables': ['IMAGES'] },
        phases: {
          build: { commands: [`sh ${script}`, "export IMAGES=\"$(tr '\\n' ' ' < built.txt)\""] },
        },
      }),
      logging: { cloudWatch: { logGroup: logs } },
      timeout: Duration.hours(2),
    })
    Validations.of(project).acknowledge(
      {
        id: 'AwsSolutions-CB3',
        reason: 'It builds images with Docker, whose daemon needs it. Its sources are those of the deployer.',
      },
      { id: 'AwsSolutions-CB4', reason: 'A build has no artifact but its images, which ECR encrypts.' },
    )
    new StringParameter(this, 'Builds', {
      parameterName: stageImagesParameter(stage),
      description: 'The project that builds the images of this stage, for the command line',
      stringValue: this.toJsonString({
        project: project.projectName,
        repository: repository.repositoryUri,
      } satisfies ImageBuilds),
    })
    Tags.of(this).add('project', 'espalier')
    Tags.of(this).add('stage', stage)
  }

  #packSources(images: readonly { id: string; folder: string }[], stage: string): Asset {
    const folder = mkdtempSync(join(tmpdir(), 'espalier-images-'))
    try {
      if (this.bundlingRequired) {
        const ids = images.map(({ id }) => id)
        runScript('images/write-contexts.ts', [folder, ...ids], { ESPALIER_STAGE: stage })
      } else for (const image of images) copyDockerfile(image.folder, join(folder, image.id))
      const lines = images.map(({ id }) => {
        const context = join(folder, id)
        const dockerfile = join(context, 'Dockerfile')
        writeFileSync(dockerfile, basesFromEcr(readFileSync(dockerfile, 'utf8')))
        return `${id} ${id}.${digestOfFolder(context)}\n`
      })
      writeFileSync(join(folder, 'images.txt'), lines.join(''))
      copyFileSync(join(import.meta.dirname, script), join(folder, script))
      // The CDK copies the folder into its output at once.
      return new Asset(this, 'Sources', { path: folder })
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
}

function rights(repository: Repository, logs: LogGroup, sources: Asset): Grant[] {
  return [
    {
      actions: ['s3:GetObject', 's3:GetObjectVersion'],
      resources: [sources.bucket.arnForObjects(sources.s3ObjectKey)],
    },
    { actions: ['s3:GetBucketAcl', 's3:GetBucketLocation'], resources: [sources.bucket.bucketArn] },
    {
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logs.logGroupArn],
      wildcards: 'The streams of its own log group, which CodeBuild names.',
    },
    {
      actions: ['ecr:GetAuthorizationToken'],
      resources: ['*'],
      wildcards: 'It has no resource that a right could name.',
    },
    {
      actions: [
        'ecr:BatchCheckLayerAvailability',
        'ecr:BatchGetImage',
        'ecr:CompleteLayerUpload',
        'ecr:DescribeImages',
        'ecr:GetDownloadUrlForLayer',
        'ecr:InitiateLayerUpload',
        'ecr:PutImage',
        'ecr:UploadLayerPart',
      ],
      resources: [repository.repositoryArn],
    },
  ]
}

// Docker Hub refuses many anonymous requests from the addresses that builds share. ECR's public gallery has the same
// official images.
function basesFromEcr(dockerfile: string): string {
  return dockerfile.replace(/^(FROM )(\w+:)/gm, '$1public.ecr.aws/docker/library/$2')
}
