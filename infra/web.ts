import { Aws, CustomResource, Duration, Fn, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib'
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Function as CloudFrontFunction,
  Distribution,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  PriceClass,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import { embedPath, pageHeaders } from '../shared/core/contracts/page-headers.ts'
import { digestOfFolder } from './digest-of-folder.ts'
import type { FunctionInputs } from './function-inputs.ts'
import { ServiceFunction } from './service-function.ts'
import type { StageSettings } from './stage-settings.ts'

export interface WebProperties extends FunctionInputs {
  api: HttpApi
  settings: Pick<StageSettings, 'domain' | 'certificate'>
}

/**
 * The CloudFront function of the dashboard: an address that names no file returns the page, which renders it. Files
 * lie in the root and in `assets/`, so names in addresses may contain dots. Written for CloudFront's own JavaScript
 * runtime.
 */
export const leadToPage = `function handler(event) {
  var request = event.request
  var isFile = request.uri.indexOf('/assets/') === 0 || /^\\/[^\\/]+\\.[a-z0-9]+$/.test(request.uri)
  if (!isFile) request.uri = '/index.html'
  return request
}`

const apiPaths = ['/v1/*', '/health', '/openapi.json', '/docs*']

export class Web extends Construct {
  readonly address: string
  readonly target: string

  constructor(scope: Construct, id: string, parts: WebProperties) {
    super(scope, id)
    const bucket = this.#createBucket()
    this.#putPages(bucket, parts)
    const distribution = this.#distribute(bucket, parts)
    this.target = distribution.distributionDomainName
    this.address = `https://${parts.settings.domain ?? this.target}`
  }

  #createBucket(): Bucket {
    const bucket = new Bucket(this, 'Pages', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'It holds the files of the dashboard, which are in the public repository, and only CloudFront reads it.',
    })
    return bucket
  }

  #putPages(bucket: Bucket, { environment, pages }: FunctionInputs): void {
    const putter = new ServiceFunction(this, 'PutPages', 'put-pages', {
      description: "Puts the dashboard's files into their bucket, when the stage is deployed",
      timeout: 300,
      memory: 512,
      environment,
      files: { pages },
      failures: 'CloudFormation calls it, waits for its answer, and fails the deployment without one.',
      grants: [
        {
          actions: ['s3:PutObject', 's3:DeleteObject'],
          resources: [bucket.arnForObjects('*')],
          wildcards:
            'The bucket holds the files of the dashboard and nothing else; their names carry digests.',
        },
        { actions: ['s3:ListBucket'], resources: [bucket.bucketArn] },
      ],
    })
    const put = new CustomResource(this, 'Put', {
      serviceToken: putter.lambda.functionArn,
      resourceType: 'Custom::EspalierPages',
      // A digest of the pages, so that a change uploads them again.
      properties: { Bucket: bucket.bucketName, Pages: digestOfFolder(pages) },
      serviceTimeout: Duration.minutes(6),
    })
    put.node.addDependency(putter)
  }

  #distribute(bucket: Bucket, { api, storage, settings }: WebProperties): Distribution {
    const toApi: BehaviorOptions = {
      origin: new HttpOrigin(Fn.select(2, Fn.split('/', api.apiEndpoint)), {
        protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
        originSslProtocols: [OriginSslPolicy.TLS_V1_2],
      }),
      // Refused, not redirected: a key sent in the clear must not work.
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      // Forward the key, but not the host header, by which the gateway selects its APIs.
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      compress: false,
    }
    const toPages = {
      origin: S3BucketOrigin.withOriginAccessControl(bucket, { originAccessControl: this.#createAccess() }),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      functionAssociations: [{ eventType: FunctionEventType.VIEWER_REQUEST, function: this.#createLead() }],
    }
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'The dashboard of Espalier',
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_100,
      ...this.#domainOf(settings),
      defaultBehavior: { ...toPages, responseHeadersPolicy: this.#createHeaders(storage.bucket) },
      additionalBehaviors: {
        ...Object.fromEntries(apiPaths.map((path) => [path, toApi])),
        [`${embedPath}*`]: { ...toPages, responseHeadersPolicy: this.#createHeaders(storage.bucket, true) },
      },
    })
    Validations.of(distribution).acknowledge(
      {
        id: 'AwsSolutions-CFR1',
        reason: 'Who may use a stage is said by keys, not by the country that a request comes from.',
      },
      {
        id: 'AwsSolutions-CFR2',
        reason:
          'The files are public and static, and the API behind them has keys and a limit of requests by itself; a firewall costs more a month than an idle stage.',
      },
      {
        id: 'AwsSolutions-CFR3',
        reason: 'Requests to the API are in its own access log; who loads public files is recorded nowhere.',
      },
      ...(settings.domain === undefined
        ? [
            {
              id: 'AwsSolutions-CFR4',
              reason:
                'The address is one of CloudFront itself, whose certificate allows no other setting. With a domain (--domain) TLS 1.2 is the least.',
            },
          ]
        : []),
    )
    return distribution
  }

  #domainOf({ domain, certificate }: WebProperties['settings']) {
    if (domain === undefined || certificate === undefined) return {}
    return {
      domainNames: [domain],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificate),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    }
  }

  /**
   * CloudFront names are global to the account, so each holds the region: another region may have a stage of the same
   * name.
   */
  #nameOf(what: string): string {
    return `${Stack.of(this).stackName}-${what}-${Aws.REGION}`
  }

  #createAccess(): S3OriginAccessControl {
    return new S3OriginAccessControl(this, 'Access', { originAccessControlName: this.#nameOf('pages') })
  }

  #createHeaders(data: IBucket, isEmbedded = false): ResponseHeadersPolicy {
    const override = true
    const headers = pageHeaders({ storage: `https://${data.bucketRegionalDomainName}` }, isEmbedded)
    const contents = (header: string) => headers[header] ?? ''
    return new ResponseHeadersPolicy(this, isEmbedded ? 'EmbedHeaders' : 'Headers', {
      responseHeadersPolicyName: this.#nameOf(isEmbedded ? 'embed-headers' : 'headers'),
      comment: 'What browsers hold the dashboard of Espalier to',
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy: contents('Content-Security-Policy'), override },
        contentTypeOptions: { override },
        ...('X-Frame-Options' in headers && {
          frameOptions: { frameOption: HeadersFrameOption.DENY, override },
        }),
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(365), override },
      },
      customHeadersBehavior: {
        customHeaders: [
          'Permissions-Policy',
          'Cross-Origin-Opener-Policy',
          'Cross-Origin-Resource-Policy',
        ].map((header) => ({ header, value: contents(header), override })),
      },
    })
  }

  #createLead(): CloudFrontFunction {
    return new CloudFrontFunction(this, 'LeadToPage', {
      functionName: this.#nameOf('lead-to-page'),
      comment: 'Every address that names no file is the page of the dashboard',
      code: FunctionCode.fromInline(leadToPage),
      runtime: FunctionRuntime.JS_2_0,
    })
  }
}
