import { type App, Duration, RemovalPolicy, Stack, Tags, Validations } from 'aws-cdk-lib'
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb'
import { BlockPublicAccess, Bucket, BucketEncryption, HttpMethods, ObjectOwnership } from 'aws-cdk-lib/aws-s3'
import { StringParameter } from 'aws-cdk-lib/aws-ssm'
import { dataStackOf, type StageData, stageDataParameter } from './stage-facts.ts'
import type { StageSettings } from './stage-settings.ts'

// Kept when their stack is deleted, and removed if its creation fails, since they are empty then.
const removalPolicy = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE

/**
 * The bucket of journals, trees and datasets, and the table of the ledger: a stack of their own, which no failure of the
 * stage's other stack reaches.
 */
export class DataStack extends Stack {
  /** Names that another stack imports, which keeps this one from being deleted before it. */
  readonly names: StageData

  constructor(app: App, { stage, protect, warmWrites }: StageSettings) {
    super(app, dataStackOf(stage), {
      description: `Espalier, the data of stage ${stage}`,
      terminationProtection: protect,
    })
    const bucket = this.#createBucket()
    // Encrypted with a key that DynamoDB owns, which costs nothing and cannot be revoked.
    const table = new Table(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      timeToLiveAttribute: 'ttl',
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      // DynamoDB's own ratio for a new table: 12,000 reads and 4,000 writes.
      ...(warmWrites !== undefined && {
        warmThroughput: { readUnitsPerSecond: 3 * warmWrites, writeUnitsPerSecond: warmWrites },
      }),
      deletionProtection: true,
      removalPolicy,
    })
    // A protected table could not be removed if the bucket then failed.
    table.node.addDependency(bucket)
    this.names = { bucket: this.exportValue(bucket.bucketName), table: this.exportValue(table.tableName) }
    new StringParameter(this, 'Names', {
      parameterName: stageDataParameter(stage),
      description: 'The bucket and the table of this stage, for the command line',
      stringValue: this.toJsonString({
        bucket: bucket.bucketName,
        table: table.tableName,
      } satisfies StageData),
    })
    Tags.of(this).add('project', 'espalier')
    Tags.of(this).add('stage', stage)
  }

  #createBucket(): Bucket {
    // No versions: journals and trees are written once under a key, and functions may delete only the leftovers of
    // builds, so old versions would only cost money. No colder storage classes: they charge by the object, and most
    // objects are smaller than their minimum.
    const bucket = new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      lifecycleRules: [
        { id: 'abandoned-uploads', abortIncompleteMultipartUploadAfter: Duration.days(2) },
        { id: 'old-versions', noncurrentVersionExpiration: Duration.days(30) },
      ],
      // A signed address is a permission by itself, whatever page uses it. Naming the dashboard's origin here would
      // make a circular dependency, since its policy names this bucket.
      cors: [
        {
          allowedMethods: [HttpMethods.GET, HttpMethods.HEAD],
          allowedOrigins: ['*'],
          allowedHeaders: ['*'],
          exposedHeaders: ['ETag', 'Content-Length', 'Content-Range', 'Content-Disposition', 'Accept-Ranges'],
          maxAge: 3600,
        },
      ],
      removalPolicy,
    })
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Access logs would need a second bucket, and cost more than the requests they record. Who asked for what is in the access log of the API; data events of CloudTrail can be switched on where more is needed.',
    })
    return bucket
  }
}
