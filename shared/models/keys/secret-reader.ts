/** Where keys are kept outside of this machine. Its errors must never hold a value. */
export interface SecretReader {
  /** The text of a secret in AWS Secrets Manager. */
  secret(name: string): Promise<string>
  /** The value of a parameter of AWS Systems Manager, decrypted. */
  parameter(name: string): Promise<string>
}
