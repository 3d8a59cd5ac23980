import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib'
import { AttributeType, BillingMode, type ITable, Table } from 'aws-cdk-lib/aws-dynamodb'
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  HttpMethods,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'

/**
 * The bucket of journals, trees and datasets, and the table of the ledger. Both stay when the stack is deleted. A
 * failed first deployment takes both away, since they are empty: the table is protected only after it.
 */
export class Storage extends Construct {
  readonly bucket: IBucket
  readonly table: ITable

  readonly #policy: RemovalPolicy

  constructor(
    scope: Construct,
    id: string,
    { isFirst = false, ...kept }: { isFirst?: boolean; bucket?: string; table?: string } = {},
  ) {
    super(scope, id)
    this.#policy = isFirst ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.RETAIN
    this.bucket =
      kept.bucket === undefined
        ? this.#createBucket()
        : Bucket.fromBucketName(this, 'KeptBucket', kept.bucket)
    this.table =
      kept.table === undefined
        ? this.#createTable(!isFirst)
        : Table.fromTableName(this, 'KeptTable', kept.table)
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
      removalPolicy: this.#policy,
    })
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Access logs would need a second bucket, and cost more than the requests they record. Who asked for what is in the access log of the API; data events of CloudTrail can be switched on where more is needed.',
    })
    return bucket
  }

  #createTable(deletionProtection: boolean): Table {
    // Encrypted with a key that DynamoDB owns, which costs nothing and cannot be revoked.
    return new Table(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      timeToLiveAttribute: 'ttl',
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection,
      removalPolicy: this.#policy,
    })
  }
}
