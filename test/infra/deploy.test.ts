import { describe, expect, test } from 'vitest'
import { deploy } from '../../infra/commands/deploy.ts'
import { optionOf } from '../../infra/commands/deploy-options.ts'
import { refuseSwallowed } from '../../infra/commands/run-command.ts'
import { stageSettingNames } from '../../infra/stage-settings.ts'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { recordingTools, stageFacts } from './recording-tools.ts'

test('a stage is deployed with its settings, and then said how it is used', async () => {
  const { tools, did, said } = recordingTools()
  expect(await deploy(['--stage', 'prod', '--mail', 'a@example.com', '--budget', '9'], tools)).toBe(0)
  expect(did).toEqual([
    'cdk deploy espalier-prod -c stage=prod -c mail=a@example.com -c budget=9 -c maxConcurrency=50 -c hosts=true -c web=true -c cloudfront=true -c dashboard=true -c maxWorkers=0 -c workers=auto -c batch=10 -c batchWindow=0 -c trainings=false -c protect=false -c privateSubnets=false -c quota=1000',
  ])
  expect(said()).toMatch(/https:\/\/pages\.example\.com[\s\S]*https:\/\/api\.example\.com/)
  expect(said()).toContain('keys create --stage prod')
})

test.each([
  ['no Docker', { docker: false }, /Docker does not answer.*CDK_DOCKER.*--images.*--no-hosts/],
  ['no bootstrap', { account: { bootstrapped: async () => null } }, /npm run deploy -- --bootstrap/],
])('%s stops it before anything is done', async (_what, options, message) => {
  const { tools, did } = recordingTools(options)
  await expect(deploy(['--no-build-in-account'], tools)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(message),
  })
  expect(did).toEqual([])
})

test('it is said how many workers play, and what the quota of the account leaves for the API', async () => {
  const few = recordingTools({ account: { concurrency: async () => 10 } })
  await deploy(['--no-hosts'], few.tools)
  expect(few.did[0]).toContain('-c quota=10')
  expect(few.said()).toMatch(/10 functions.*4 are left for the API.*2 workers.*not 50.*Raise the quota/)
  const many = recordingTools()
  await deploy([], many.tools)
  expect(many.said()).toMatch(/1000 functions.*left for the API.*50 workers play episodes\./)
  const unknown = recordingTools({ account: { concurrency: async () => null } })
  await deploy([], unknown.tools)
  expect(unknown.did[0]).not.toContain('quota=')
})

test('without Docker a stage takes images that are built, but not its trainings', async () => {
  const images = 'ghcr.io/acme/espalier-{image}:1.2'
  const { tools, did } = recordingTools({ docker: false })
  expect(await deploy(['--images', images], tools)).toBe(0)
  expect(did[0]).toContain(`-c images=${images}`)
  await expect(deploy(['--images', images, '--trainings'], tools)).rejects.toThrow('Docker does not answer')
})

test('without Docker a stage without hosts is deployed', async () => {
  const { tools, did } = recordingTools({ docker: false })
  expect(await deploy(['--no-hosts'], tools)).toBe(0)
  expect(did[0]).toContain('-c hosts=false')
})

describe('images built in the account', () => {
  const built = `{"env-host":"the-repository@sha256:${'0'.repeat(64)}"}`

  test('are those of a stage without Docker, which then runs them by their digests', async () => {
    const { tools, did, said } = recordingTools({ docker: false })
    expect(await deploy(['--yes', '--max-workers', '2'], tools)).toBe(0)
    const [sources, build, stage, ...others] = did
    expect(sources).toMatch(
      /^cdk deploy espalier-dev-images -c stage=dev .*-c buildInAccount=true .*--require-approval never$/,
    )
    expect(sources).not.toContain('images=')
    expect(build).toBe('build espalier-dev-images')
    expect(stage).toMatch(/^cdk deploy espalier-dev -c stage=dev .*-c buildInAccount=true/)
    expect(stage).toContain(`-c images=${built}`)
    expect(others).toEqual([])
    expect(said()).toMatch(/CodeBuild builds the images.*because Docker does not answer.*--images/)
  })

  test('are asked for with Docker too, and by the next deployment again', async () => {
    const asked = recordingTools()
    await deploy(['--build-in-account'], asked.tools)
    expect(asked.did).toContain('build espalier-dev-images')
    const again = recordingTools({ account: { options: async () => ({ buildInAccount: 'true' }) } })
    await deploy([], again.tools)
    expect(again.did).toContain('build espalier-dev-images')
    expect(again.said()).toContain('As before: --build-in-account')
  })

  test('are offered if Docker would emulate ARM', async () => {
    const slow = recordingTools({ isArm: false })
    await deploy([], slow.tools)
    expect(slow.did).toHaveLength(1)
    expect(slow.said()).toMatch(/emulates.*--build-in-account/)
    const fast = recordingTools()
    await deploy([], fast.tools)
    expect(fast.said()).not.toContain('--build-in-account')
  })

  test('give way to images that are named, and those to them', async () => {
    const images = 'ghcr.io/acme/espalier-{image}:1.2'
    const named = recordingTools({ account: { options: async () => ({ buildInAccount: 'true' }) } })
    await deploy(['--images', images], named.tools)
    expect(named.did).toHaveLength(1)
    expect(named.did[0]).not.toContain('buildInAccount')
    const back = recordingTools({ account: { options: async () => ({ images }) } })
    await deploy(['--build-in-account'], back.tools)
    expect(back.did.at(-1)).toContain(`-c images=${built}`)
  })

  test('that cannot be built leave the stage as it is', async () => {
    const failing = async () => {
      throw new EspalierError('invalid_request', 'The build ended as FAILED.')
    }
    const { tools, did } = recordingTools({ docker: false, account: { buildImages: failing } })
    await expect(deploy([], tools)).rejects.toThrow('ended as FAILED')
    expect(did).toHaveLength(1)
    const refused = recordingTools({ docker: false, cdk: 1 })
    expect(await deploy([], refused.tools)).toBe(1)
    expect(refused.did).toHaveLength(1)
  })

  test('are not built for a difference', async () => {
    const { tools, did } = recordingTools({ docker: false })
    await deploy(['--diff'], tools)
    expect(did).toHaveLength(1)
    expect(did[0]).toMatch(/^cdk diff espalier-dev /)
  })
})

describe('a stage remembers its settings', () => {
  const before = { mail: 'a@example.com', fleets: '{"env-host":{"max_hosts":50}}', dashboard: 'false' }
  const options = { account: { options: async () => before } }

  test('so that a deployment without them silences no alarm, and says what it took', async () => {
    const { tools, did, said } = recordingTools(options)
    await deploy(['--budget', '7'], tools)
    expect(did[0]).toContain('-c mail=a@example.com -c budget=7')
    expect(did[0]).toContain('-c fleets={"env-host":{"max_hosts":50}}')
    expect(did[0]).toContain('-c dashboard=false')
    expect(said()).toMatch(/As before: --mail a@example\.com .*--no-dashboard.*--unset/)
    expect(said()).not.toContain('not sent to anyone')
  })

  test('until they are replaced or unset', async () => {
    const { tools, did, said } = recordingTools(options)
    await deploy(['--unset', 'mail', '--unset', 'no-dashboard', '--fleets', '{}'], tools)
    expect(did[0]).not.toContain('mail=')
    expect(did[0]).toContain('-c fleets={}')
    expect(did[0]).toContain('-c dashboard=true')
    expect(said()).toContain('not sent to anyone')
    await expect(deploy(['--unset', 'males'], tools)).rejects.toThrow(/no setting "males".*mail/)
  })
})

test('a region for which the template is not checked is named, and deployed to', async () => {
  const elsewhere = recordingTools({ account: { region: async () => 'us-gov-west-1' } })
  expect(await deploy([], elsewhere.tools)).toBe(0)
  expect(elsewhere.said()).toMatch(/not checked for the region us-gov-west-1.*eu-central-1/)
  const usual = recordingTools()
  await deploy([], usual.tools)
  expect(usual.said()).not.toContain('not checked')
})

test('a region in which CloudFormation has no budgets gets a stage without one', async () => {
  const { tools, did, said } = recordingTools({ account: { region: async () => 'eu-north-1' } })
  expect(await deploy(['--budget', '7'], tools)).toBe(0)
  expect(did[0]).toContain('-c budget=0')
  expect(said()).toMatch(/no budgets in eu-north-1.*\$7 a month by hand/)
  expect(said()).not.toContain('not checked')
})

test('--help names every setting', async () => {
  const { tools, did, said } = recordingTools()
  expect(await deploy(['--help'], tools)).toBe(0)
  for (const name of stageSettingNames) expect(said()).toMatch(new RegExp(`--(no-)?${optionOf(name)} `))
  expect(said()).toContain('--unset')
  expect(did).toEqual([])
})

test.each([
  ['--max-concurrency', '1', '--max-concurrency must be a whole number from 2 to 1000.'],
  ['--max-concurrency', 'many', '--max-concurrency must be a whole number from 2 to 1000.'],
  ['--budget', 'much', '--budget must be a number of US dollars, 0 for no budget.'],
  ['--fleets', 'many', '--fleets must be JSON such as'],
  ['--fleets', '{"env-host":{"max_host":3}}', /--fleets must be JSON.*env-host.*max_host/],
  ['--fleets', '{"chess":{"max_hosts":3}}', /--fleets names no image "chess"; there are: .*env-host/],
  ['--vpc', 'vpc-0a1b2c3d', '--vpc needs subnets beside it.'],
  ['--vpc', 'mine', '--vpc must be the id of a VPC'],
  ['--subnets', 'a,b', '--subnets must be ids of subnets'],
  ['--domain', 'agents.example.com', '--domain needs certificate beside it.'],
  ['--certificate', 'arn:aws:acm:eu-west-1:123456789012:certificate/1', /--certificate .*us-east-1/],
  ['--images', 'ghcr.io/acme/espalier:1', '--images must be the address of images with {image} in it'],
  ['--bucket', 'the-bucket', '--bucket needs table beside it.'],
  ['--bootstraps', 'x', /Unknown option '--bootstraps'/],
  ['--quota', '3', '--quota must be a whole number above 9.'],
  ['--stage', 'Prod_1', '--stage must be lower-case letters, digits and dashes, at most 16.'],
  ['--stage', 'dev-data', '--stage must not end in -data'],
])('%s %s is refused by the name of the option', async (option, value, message) => {
  const { tools, did } = recordingTools()
  await expect(deploy([option, value], tools)).rejects.toThrow(message)
  expect(did).toEqual([])
})

test('options that npm took for itself are not taken for none', () => {
  expect(() => refuseSwallowed({ npm_config_stage: 'prod', npm_lifecycle_event: 'deploy' })).toThrow(
    'npm run deploy -- --stage',
  )
  expect(() => refuseSwallowed({ npm_config_dashboard: '' })).toThrow('--no-dashboard')
  expect(() => refuseSwallowed({ npm_config_yes: 'true' })).not.toThrow()
})

test('the dashboard can be left out', async () => {
  const { tools, did } = recordingTools()
  await deploy(['--no-dashboard'], tools)
  expect(did[0]).toContain('-c dashboard=false')
})

test('what trainings need is there where it is asked for', async () => {
  const { tools, did } = recordingTools()
  await deploy(['--trainings'], tools)
  expect(did[0]).toContain('-c trainings=true')
})

test('an option that does not exist is named, with those that do', async () => {
  const { tools, did } = recordingTools()
  await expect(deploy(['--stags', 'x'], tools)).rejects.toThrow(/--stags[\s\S]*--stage/)
  expect(did).toEqual([])
})

test('the CDK is set up without the app, which needs the built dashboard, and before any check', async () => {
  const { tools, did } = recordingTools({ docker: false, account: { bootstrapped: async () => null } })
  expect(await deploy(['--bootstrap'], tools)).toBe(0)
  expect(did).toEqual(['cdk bootstrap --app node infra/bootstrap-app.ts'])
})

test('a difference is shown with the settings of the stage, and nothing is deployed', async () => {
  const { tools, did, said } = recordingTools()
  expect(await deploy(['--stage', 'prod', '--diff'], tools)).toBe(0)
  expect(did).toHaveLength(1)
  expect(did[0]).toMatch(/^cdk diff espalier-prod -c stage=prod /)
  expect(said()).not.toContain('keys create')
  await deploy(['--stage', 'prod', '--rollback'], tools)
  expect(did[1]).toMatch(/^cdk rollback espalier-prod -c stage=prod /)
  await expect(deploy(['--diff', '--rollback'], tools)).rejects.toThrow('--diff and --rollback exclude')
})

test.each([
  ['us-est-1', /no region "us-est-1"\. Did you mean "us-(east|west)-1"/],
  ['eu-centrall-1', /Did you mean "eu-central-1"/],
  ['frankfurt', /no region "frankfurt"\. Set AWS_REGION/],
])('the region %s is named as none before AWS is asked in it', async (region, message) => {
  const unreachable = async () => {
    throw new Error('AWS cannot be reached.')
  }
  const account = { region: async () => region, stage: unreachable, options: unreachable }
  const { tools, did } = recordingTools({ account })
  await expect(deploy([], tools)).rejects.toThrow(message)
  expect(did).toEqual([])
})

test.each([
  [
    'CloudFront',
    'Resource handler returned message: "Access denied for operation \'AWS::CloudFront::Distribution: Your account must be verified before you can add new CloudFront resources.\'"',
    /--no-cloudfront/,
  ],
  [
    'the role of ECS',
    'Unable to assume the service linked role. Please verify that it exists.',
    /Deploy again/,
  ],
])('a failure by %s is explained with the way out', async (_what, cdkSays, advice) => {
  const { tools, said } = recordingTools({ cdk: 1, cdkSays })
  expect(await deploy([], tools)).toBe(1)
  expect(said()).toMatch(advice)
})

test('a first deployment says that CloudFront may be refused, and without a dashboard nothing of one', async () => {
  const first = recordingTools({ cdk: 1, account: { stage: async () => null } })
  await deploy([], first.tools)
  expect(first.said()).toContain('--no-cloudfront')
  const byApi = recordingTools({ account: { stage: async () => null } })
  await expect(deploy(['--no-cloudfront'], byApi.tools)).rejects.toThrow('parameter is not there')
  expect(byApi.did.join()).toContain('-c cloudfront=false')
  expect(byApi.said()).not.toContain('CloudFront')
  const without = recordingTools({
    account: { stage: async () => ({ ...stageFacts, dashboard: undefined }) },
  })
  await deploy(['--no-web'], without.tools)
  expect(without.did[0]).toContain('-c web=false')
  expect(without.said()).not.toMatch(/dashboard/i)
})

test('a failed update is one, keeps what was there, and says nothing of a success', async () => {
  const { tools, said } = recordingTools({ cdk: 3 })
  expect(await deploy([], tools)).toBe(3)
  expect(said()).toMatch(/What was there before is as it was/)
  expect(said()).not.toContain('https://api.example.com')
})
