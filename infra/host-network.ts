import { Fn, Validations } from 'aws-cdk-lib'
import {
  GatewayVpcEndpointAwsService,
  type ISubnet,
  type IVpc,
  Subnet,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2'
import { Construct } from 'constructs'
import type { StageSettings } from './stage-settings.ts'

export class HostNetwork extends Construct {
  readonly vpc: IVpc
  readonly subnets: ISubnet[]
  /** True if hosts have public addresses, which reach the internet without a NAT gateway. */
  readonly hasPublicAddresses: boolean

  constructor(scope: Construct, id: string, { vpc, subnets = [], privateSubnets }: StageSettings) {
    super(scope, id)
    this.hasPublicAddresses = !privateSubnets
    if (vpc === undefined) {
      // Keep this scope: another construct path would replace the network.
      const own = createNetwork(scope)
      this.vpc = own
      this.subnets = own.publicSubnets
      return
    }
    this.subnets = subnets.map((subnet) => {
      const one = Subnet.fromSubnetId(this, subnet, subnet)
      Validations.of(one).acknowledge({
        id: 'Annotation::@aws-cdk/aws-ec2:noSubnetRouteTableId',
        reason: 'The owner of the VPC sees to its routes; nothing here adds one.',
      })
      return one
    })
    this.vpc = Vpc.fromVpcAttributes(this, 'Vpc', {
      vpcId: vpc,
      // Required by the CDK and never read.
      availabilityZones: subnets.map((_, index) => Fn.select(index, Fn.getAzs())),
    })
  }
}

function createNetwork(scope: Construct): Vpc {
  const vpc = new Vpc(scope, 'Network', {
    maxAzs: 2,
    natGateways: 0,
    subnetConfiguration: [{ name: 'hosts', subnetType: SubnetType.PUBLIC, cidrMask: 20 }],
    restrictDefaultSecurityGroup: false,
    gatewayEndpoints: {
      Objects: { service: GatewayVpcEndpointAwsService.S3 },
      Ledger: { service: GatewayVpcEndpointAwsService.DYNAMODB },
    },
  })
  Validations.of(vpc).acknowledge({
    id: 'AwsSolutions-VPC7',
    reason:
      'One function can call a host, on one port, and it logs its calls. Flow logs would mostly hold the knocking of strangers at public addresses, and cost more than the hosts.',
  })
  return vpc
}
