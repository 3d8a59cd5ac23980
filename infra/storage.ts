import { type ITable, Table } from 'aws-cdk-lib/aws-dynamodb'
import { Bucket, type IBucket } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import type { StageData } from './stage-facts.ts'

/** The bucket and the table of a stage, which another stack holds, or none. */
export class Storage extends Construct {
  readonly bucket: IBucket
  readonly table: ITable

  constructor(scope: Construct, id: string, names: StageData) {
    super(scope, id)
    this.bucket = Bucket.fromBucketName(this, 'Bucket', names.bucket)
    this.table = Table.fromTableName(this, 'Table', names.table)
  }
}
