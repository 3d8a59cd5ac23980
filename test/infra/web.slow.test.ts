import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { pageRoutes } from '../../infra/api.ts'
import { buildApp } from '../../infra/build-app.ts'
import { shareConcurrency } from '../../infra/concurrency.ts'
import { leadToPage } from '../../infra/web.ts'
import { contentSecurityPolicy, pageHeaders } from '../../shared/core/contracts/page-headers.ts'
import { rightsOf } from './policies.ts'
import { type Resource, type Synthesised, synthesise } from './synthesise.ts'

interface Behavior {
  PathPattern?: string
  TargetOriginId: string
  ViewerProtocolPolicy: string
  AllowedMethods: string[]
  CachePolicyId: string
  OriginRequestPolicyId?: string
  Compress: boolean
}

/** Managed policies of CloudFront, by the ids that AWS documents. */
const managed = {
  cachingDisabled: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
  cachingOptimized: '658327ea-f89d-4fab-a63d-7e88639e58f6',
  allViewerExceptHost: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
}

const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d-0000-4000-8000-000000000000'
let stage: Synthesised
let distribution: {
  DefaultCacheBehavior: Behavior
  CacheBehaviors: Behavior[]
  Origins: Record<string, unknown>[]
  HttpVersion: string
  PriceClass: string
}

function only(type: string, id = ''): Resource {
  const [one, ...others] = stage.ofType(type).filter((each) => each.id.includes(id))
  if (one === undefined || others.length > 0) throw new Error(`There is not one ${type}.`)
  return one
}

beforeAll(async () => {
  stage = await synthesise()
  const { DistributionConfig } = only('AWS::CloudFront::Distribution').Properties
  distribution = DistributionConfig as typeof distribution
})

test('without the dashboard nothing of CloudFront is made, and no page needs to be built', async () => {
  const without = await synthesise({ web: 'false' })
  expect(without.resources.filter(({ Type }) => Type.startsWith('AWS::CloudFront'))).toEqual([])
  expect(without.ofType('AWS::S3::Bucket')).toHaveLength(1)
  const facts = without
    .ofType('AWS::SSM::Parameter')
    .find(({ Properties }) => /settings$/.test(String(Properties.Name)))
  expect(JSON.stringify(facts?.Properties.Value)).not.toContain('dashboard')
  await expect(synthesise({ web: 'false', domain: 'a.example.com', certificate })).rejects.toThrow(
    /domain.*dashboard/,
  )
})

describe('without CloudFront the API serves the dashboard', () => {
  const byApi = () => synthesise({ cloudfront: 'false' })

  test('at its own address, by a function that carries the files and may do nothing', async () => {
    const other = await byApi()
    expect(other.resources.filter(({ Type }) => Type.startsWith('AWS::CloudFront'))).toEqual([])
    expect(other.ofType('AWS::S3::Bucket')).toHaveLength(1)
    const facts = other
      .ofType('AWS::SSM::Parameter')
      .find(({ Properties }) => /settings$/.test(String(Properties.Name)))
    const text = JSON.stringify(facts?.Properties.Value)
    const address = (name: string) => new RegExp(`${name}\\\\":\\\\"",(\\{.*?\\})`).exec(text)?.[1]
    expect(address('dashboard')).toBeDefined()
    expect(address('dashboard')).toBe(address('api'))
    const rights = rightsOf(other, 'espalier-dev-show-pages').flatMap(({ actions }) => actions)
    expect(rights.filter((action) => !/^(logs|xray):/.test(action))).toEqual([])
    const shows = other
      .ofType('AWS::Lambda::Function')
      .find(({ Properties }) => Properties.FunctionName === 'espalier-dev-show-pages')
    expect(shows?.Properties).toMatchObject({ MemorySize: 256, Timeout: 10 })
    expect(JSON.stringify(shows?.Properties.Environment)).toMatch(
      /ESPALIER_STORAGE_ORIGIN":\{"Fn::Join":\["",\["https:\/\/",\{"Fn::ImportValue/,
    )
    expect(other.ofType('AWS::CloudWatch::Alarm').map(({ id }) => id)).toContainEqual(
      expect.stringContaining('showpagesthrottled'),
    )
  })

  test('its files need no key, below /v1 every request does, and no route mixes the two', async () => {
    const other = await byApi()
    const routes = other.ofType('AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties)
    const targetOf = (key: string) => routes.find(({ RouteKey }) => RouteKey === key)?.Target
    const keys = (open: boolean) =>
      routes
        .filter(({ AuthorizationType }) => (AuthorizationType !== 'CUSTOM') === open)
        .map(({ RouteKey }) => RouteKey)
    expect(keys(false).sort()).toEqual([
      'ANY /{path+}',
      'GET /v1/runs/{run}/events',
      'GET /v1/{path+}',
      'HEAD /v1/{path+}',
    ])
    expect(keys(true)).toEqual(expect.arrayContaining([...pageRoutes, 'GET /health', 'GET /docs']))
    expect(targetOf('GET /v1/{path+}')).toEqual(targetOf('GET /health'))
    for (const key of pageRoutes) {
      expect(targetOf(key), key).toEqual(targetOf('GET /'))
      expect(targetOf(key), key).not.toEqual(targetOf('GET /health'))
    }
    const [opened] = other.ofType('AWS::ApiGatewayV2::Stage')
    const { rate, burst } = shareConcurrency(50, null, true).open.pages
    const limits = { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst }
    expect(opened?.Properties.RouteSettings).toMatchObject(
      Object.fromEntries(pageRoutes.map((key) => [key, limits])),
    )
  })

  test('not with a domain, which is CloudFront’s', async () => {
    await expect(synthesise({ cloudfront: 'false', domain: 'a.example.com', certificate })).rejects.toThrow(
      /domain.*CloudFront/,
    )
  })
})

test('CloudFront sends the headers that the service sends', () => {
  const { ResponseHeadersPolicyConfig } = only('AWS::CloudFront::ResponseHeadersPolicy', 'WebHeaders')
    .Properties as {
    ResponseHeadersPolicyConfig: {
      SecurityHeadersConfig: Record<string, unknown>
      CustomHeadersConfig: { Items: { Header: string; Value: string }[] }
    }
  }
  const { SecurityHeadersConfig, CustomHeadersConfig } = ResponseHeadersPolicyConfig
  const sent = [
    ...Object.keys(SecurityHeadersConfig).map((name) => name.toLowerCase()),
    ...CustomHeadersConfig.Items.map(({ Header }) => Header.replaceAll('-', '').toLowerCase()),
  ]
  const wanted = pageHeaders({ overTls: true })
  expect(sent.sort()).toEqual(
    Object.keys(wanted)
      .map((name) => name.replace(/^X-/, '').replaceAll('-', '').toLowerCase())
      .sort(),
  )
  for (const { Header, Value } of CustomHeadersConfig.Items) expect(Value).toBe(wanted[Header])
})

test('the API answers under the address of the dashboard, uncached, with keys, over TLS alone', () => {
  const behaviors = distribution.CacheBehaviors.filter(({ PathPattern }) => PathPattern !== '/embed/*')
  expect(behaviors.map(({ PathPattern }) => PathPattern)).toEqual([
    '/v1/*',
    '/health',
    '/openapi.json',
    '/docs*',
  ])
  for (const behavior of behaviors) {
    expect(behavior).toMatchObject({
      ViewerProtocolPolicy: 'https-only',
      CachePolicyId: managed.cachingDisabled,
      OriginRequestPolicyId: managed.allViewerExceptHost,
      Compress: false,
    })
    expect(behavior.AllowedMethods).toEqual(expect.arrayContaining(['POST', 'DELETE']))
  }
  const origin = distribution.Origins.find(({ Id }) => Id === distribution.CacheBehaviors[0]?.TargetOriginId)
  expect(JSON.stringify(origin?.DomainName)).toMatch(/execute-api|ApiEndpoint|Ref/)
  expect(origin?.CustomOriginConfig).toMatchObject({
    OriginProtocolPolicy: 'https-only',
    OriginSSLProtocols: ['TLSv1.2'],
  })
})

test('pages come from a private bucket that CloudFront alone reads', () => {
  expect(distribution.DefaultCacheBehavior).toMatchObject({
    ViewerProtocolPolicy: 'redirect-to-https',
    CachePolicyId: managed.cachingOptimized,
    Compress: true,
    AllowedMethods: ['GET', 'HEAD'],
  })
  expect(distribution).toMatchObject({ HttpVersion: 'http2and3', PriceClass: 'PriceClass_100' })
  const pages = stage.ofType('AWS::S3::Bucket').find(({ id }) => id.startsWith('Web'))
  const policy = stage
    .ofType('AWS::S3::BucketPolicy')
    .find(({ Properties }) => JSON.stringify(Properties.Bucket).includes(String(pages?.id)))
  const document = policy?.Properties.PolicyDocument as { Statement: { Effect: string }[] } | undefined
  const allowed = document?.Statement.filter(({ Effect }) => Effect === 'Allow') ?? []
  expect(allowed).toHaveLength(1)
  expect(allowed[0]).toMatchObject({
    Action: 's3:GetObject',
    Principal: { Service: 'cloudfront.amazonaws.com' },
    Condition: { StringEquals: { 'AWS:SourceArn': expect.anything() } },
  })
})

test('the page may load and ask its own address and the bucket of the data, and nothing else', () => {
  const { ResponseHeadersPolicyConfig } = only('AWS::CloudFront::ResponseHeadersPolicy', 'WebHeaders')
    .Properties as {
    ResponseHeadersPolicyConfig: { SecurityHeadersConfig: Record<string, Record<string, unknown>> }
  }
  const headers = ResponseHeadersPolicyConfig.SecurityHeadersConfig
  const joined = headers.ContentSecurityPolicy?.ContentSecurityPolicy as { 'Fn::Join': [string, unknown[]] }
  const parts = joined['Fn::Join'][1]
  const policy = parts
    .map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
    .join('')
    .replaceAll(/\{"Fn::ImportValue":"espalier-dev-data:ExportsOutputRefBucket\w+"\}/g, 'data')
    .replaceAll('{"Ref":"AWS::Region"}', 'region')
    .replaceAll('{"Ref":"AWS::URLSuffix"}', 'example.com')
  expect(policy).toBe(contentSecurityPolicy('https://data.s3.region.example.com'))
  expect(policy).not.toMatch(/unsafe|\*|data:;/)
  expect(headers.StrictTransportSecurity).toMatchObject({ AccessControlMaxAgeSec: 31_536_000 })
  expect(headers.FrameOptions).toMatchObject({ FrameOption: 'DENY' })
})

test('notebooks may frame the pages below /embed, which are otherwise as the others', () => {
  const { CacheBehaviors, DefaultCacheBehavior } = distribution
  const framed = CacheBehaviors.find(({ PathPattern }) => PathPattern === '/embed/*')
  const { id, Properties } = only('AWS::CloudFront::ResponseHeadersPolicy', 'EmbedHeaders')
  expect(framed).toEqual({
    ...DefaultCacheBehavior,
    PathPattern: '/embed/*',
    ResponseHeadersPolicyId: { Ref: id },
  })
  expect(JSON.stringify(Properties)).toContain("frame-ancestors 'self' http://localhost:*")
  expect(JSON.stringify(Properties)).not.toContain('FrameOption')
})

test('what a signed address gives may be read by the page, and changed by none', () => {
  const data = stage.ofType('AWS::S3::Bucket').find(({ id }) => id.startsWith('Bucket'))
  expect(data?.Properties.CorsConfiguration).toMatchObject({
    CorsRules: [{ AllowedMethods: ['GET', 'HEAD'], AllowedOrigins: ['*'] }],
  })
})

test('the files are put by a function that may do nothing else, and again when they change', async () => {
  const rights = rightsOf(stage, 'espalier-dev-put-pages').flatMap(({ actions }) => actions)
  expect(rights.filter((action) => action.startsWith('s3:')).sort()).toEqual([
    's3:DeleteObject',
    's3:ListBucket',
    's3:PutObject',
  ])
  expect(rights.filter((action) => !/^(logs|xray|s3):/.test(action))).toEqual([])
  const put = only('Custom::EspalierPages')
  expect(put.Properties).toMatchObject({
    ServiceTimeout: '360',
    Pages: expect.stringMatching(/^[0-9a-f]{16}$/),
  })
})

test('without a built dashboard nothing is synthesised, and it is said how to build it', async () => {
  const pages = await mkdtemp(join(tmpdir(), 'espalier-'))
  await expect(buildApp({ pages })).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('npm run build:web'),
  })
})

describe('at the edge', () => {
  const lead = new Function(`${leadToPage}; return handler`)() as (event: object) => { uri: string }
  const uriOf = (uri: string) => lead({ request: { uri, method: 'GET', headers: {} } }).uri

  test.each([
    '/',
    '/runs',
    '/runs/run-1/episodes/ep-0000001',
    '/libraries/a.b',
    '/guide/first-steps',
    '/.x/y',
  ])('%s is the page', (uri) => {
    expect(uriOf(uri)).toBe('/index.html')
  })

  test.each(['/assets/index-1a2b.js', '/icon.svg', '/theme.js', '/index.html'])('%s is a file', (uri) => {
    expect(uriOf(uri)).toBe(uri)
  })

  test('the code is what CloudFront runs', () => {
    expect(only('AWS::CloudFront::Function').Properties).toMatchObject({
      FunctionCode: leadToPage,
      FunctionConfig: { Runtime: 'cloudfront-js-2.0' },
    })
  })
})
