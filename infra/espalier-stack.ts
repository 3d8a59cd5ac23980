import { CfnOutput, Stack, Tags } from 'aws-cdk-lib'
import { StringParameter } from 'aws-cdk-lib/aws-ssm'
import type { Construct } from 'constructs'
import { Alarms } from './alarms.ts'
import { Api } from './api.ts'
import { shareConcurrency } from './concurrency.ts'
import { StageDashboard } from './dashboard.ts'
import { Engine } from './engine.ts'
import { type FunctionInputs, sharedEnvironment } from './function-inputs.ts'
import { Hosts } from './hosts.ts'
import { LastingEpisodes } from './lasting-episodes.ts'
import { Queues } from './queues.ts'
import { type StageData, type StageFacts, stageFactsParameter, stageOptionsParameter } from './stage-facts.ts'
import { parseStageSettings, type StageSettings, toTexts } from './stage-settings.ts'
import { Storage } from './storage.ts'
import { Trainings } from './trainings.ts'
import { Web } from './web.ts'
import { Workers } from './workers.ts'

export interface EspalierStackProperties {
  settings: StageSettings
  data: StageData
  code: string
  endpoints: string | null
  environments: string | null
  pages: string
}

export class EspalierStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { settings, data, code, endpoints, environments, pages }: EspalierStackProperties,
  ) {
    super(scope, id, {
      description: `Espalier, stage ${settings.stage}`,
      terminationProtection: settings.protect,
    })
    const { stage, maxConcurrency, quota = null, budget, dashboard, mail, maxWorkers } = settings
    const shares = shareConcurrency(maxConcurrency, quota, settings.hosts)
    const storage = new Storage(this, 'Storage', data)
    const queues = new Queues(this, 'Queues')
    const lasting = maxWorkers === 0 ? null : new LastingEpisodes(this, 'Lasting', queues)
    const environment = {
      ...sharedEnvironment({ stage, code, storage, queues }),
      ...(lasting && { ESPALIER_QUEUE_LASTING: lasting.queue.queueUrl, ESPALIER_WORKERS: settings.workers }),
    }
    const parts: FunctionInputs = { stage, storage, queues, environment, endpoints, environments, pages }
    const hosts = settings.hosts ? new Hosts(this, 'Hosts', { ...parts, settings }) : null
    const { batch, batchWindow } = settings
    const engine = new Engine(this, 'Engine', { ...parts, hosts, shares, batch, batchWindow })
    const showsPages = settings.web && !settings.cloudfront
    const { api, handler, authorizer, pages: shown } = new Api(this, 'Api', { ...parts, shares, showsPages })
    const web = settings.web && settings.cloudfront ? new Web(this, 'Web', { ...parts, api, settings }) : null
    const { buildDataset, sweep, deadLetters, advanceEpisodes: player } = engine
    let unplaced: Workers['unplaced'] | null = null
    if (lasting !== null) {
      lasting.receiveFrom(handler, player, buildDataset, sweep, ...(deadLetters ? [deadLetters] : []))
      if (hosts !== null) {
        unplaced = new Workers(this, 'Workers', {
          ...parts,
          lasting,
          hosts,
          maxWorkers,
          images: settings.images,
        }).unplaced
      }
    }
    const background = [buildDataset, sweep, deadLetters, hosts?.scaleHosts].filter((one) => one != null)
    const callHost = hosts?.callHost ?? null
    const answering = [handler, authorizer, ...(shown ? [shown] : [])]
    const watched = {
      stage,
      storage,
      queues,
      lasting,
      unplaced,
      api,
      answering,
      player,
      background,
      callHost,
    }
    new Alarms(this, 'Alarms', { ...watched, budget, mail })
    if (dashboard) {
      const functions = [...answering, player, ...(callHost ? [callHost] : []), ...background]
      new StageDashboard(this, 'Dashboard', { stage, storage, queues, api, functions })
    }
    if (settings.trainings) new Trainings(this, 'Trainings', parts)
    this.#publish(
      parts,
      { api: api.apiEndpoint, dashboard: showsPages ? api.apiEndpoint : web?.address },
      lasting,
    )
    this.#remember(settings)
    if (web !== null) new CfnOutput(this, 'DashboardTarget', { value: web.target })
    Tags.of(this).add('project', 'espalier')
    Tags.of(this).add('stage', stage)
  }

  #remember({ quota: _, stage, images, ...others }: StageSettings): void {
    // The next deployment builds others.
    const settings = others.buildInAccount ? others : { ...others, images }
    const usual = new Map(toTexts(parseStageSettings({})))
    const chosen = toTexts(settings).filter(([name, text]) => usual.get(name) !== text)
    new StringParameter(this, 'Options', {
      parameterName: stageOptionsParameter(stage),
      description: 'The settings with which this stage was deployed, for the next deployment',
      stringValue: JSON.stringify(Object.fromEntries(chosen)),
    })
  }

  #publish(
    { stage, storage, queues }: FunctionInputs,
    { api, dashboard }: { api: string; dashboard: string | undefined },
    lasting: LastingEpisodes | null,
  ): void {
    const { episodes, alone, datasets, jobs } = queues.queues
    const facts: StageFacts = {
      stage,
      region: this.region,
      api,
      ...(dashboard !== undefined && { dashboard }),
      table: storage.table.tableName,
      bucket: storage.bucket.bucketName,
      queues: {
        episodes: episodes.queue.queueUrl,
        alone: alone.queue.queueUrl,
        datasets: datasets.queue.queueUrl,
        jobs: jobs.queue.queueUrl,
        ...(lasting && { lasting: lasting.queue.queueUrl }),
      },
      dead_letters: {
        episodes: episodes.deadLetters.queueUrl,
        alone: alone.deadLetters.queueUrl,
        datasets: datasets.deadLetters.queueUrl,
        jobs: jobs.deadLetters.queueUrl,
      },
    }
    new StringParameter(this, 'Facts', {
      parameterName: stageFactsParameter(stage),
      description: 'Where everything of this stage is, for the command line',
      stringValue: this.toJsonString(facts),
    })
    if (dashboard !== undefined) new CfnOutput(this, 'DashboardAddress', { value: dashboard })
    new CfnOutput(this, 'ApiAddress', { value: api })
    for (const [name, { queue, deadLetters }] of Object.entries(queues.queues)) {
      const title = name.replace(/^./, (letter) => letter.toUpperCase())
      new CfnOutput(this, `${title}Queue`, { value: queue.queueUrl })
      new CfnOutput(this, `${title}DeadLetters`, { value: deadLetters.queueUrl })
    }
  }
}
