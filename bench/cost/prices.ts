/**
 * AWS prices in us-east-1, in US dollars, without any free tier. Those under `list` are public list prices not
 * confirmed for this project; the others are confirmed.
 */
export const prices = {
  /** A million PUT, COPY, POST or LIST requests, a million GET or HEAD requests, a GB for a month. */
  s3: { writes: 5, reads: 0.4, storage: 0.023 },
  /** A million write request units, a million read request units. */
  dynamodb: { writes: 0.625, reads: 0.125 },
  /** A million requests: of standard queues, and of fair queues, which message groups turn them into. */
  sqs: { standard: 0.4, fair: 0.5 },
  /** A GB-second on ARM, a million requests. */
  lambda: { gb_second: 0.0000133334, requests: 0.2 },
  api: { requests: 1 },
  /** An hour of a Fargate task: each vCPU and each GB on ARM, and its public address. */
  fargate: { cpu: 0.03238, memory: 0.00356, address: 0.005, spot: 0.3 },
  /**
   * A month: a GB in DynamoDB and in its backups, an alarm, a custom metric, a dashboard, a secret, a GB of images in
   * ECR. Once: a GB of ingested logs, a GB that leaves AWS.
   */
  list: {
    table_storage: 0.25,
    table_backup: 0.2,
    logs: 0.5,
    alarm: 0.1,
    metric: 0.3,
    dashboard: 3,
    traces: 5,
    secret: 0.4,
    images: 0.1,
    traffic: 0.09,
  },
} as const
