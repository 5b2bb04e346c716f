/** Why a state is written. The first three may be skipped by a hook, the others may not. */
export enum PersistReason {
  afterUserInput = 'after_user_input',
  afterModelText = 'after_model_text',
  afterToolBatch = 'after_tool_batch',
  awaitingApproval = 'awaiting_approval',
  approvalDecision = 'approval_decision',
  toolEffect = 'tool_effect',
  resumeClaim = 'resume_claim',
  suspend = 'suspend',
  terminal = 'terminal'
}

/** The rule which writes a hook may skip. */
export class PersistReasons {
  static isMandatory(reason: PersistReason): boolean {
    return reason !== PersistReason.afterUserInput && reason !== PersistReason.afterModelText &&
      reason !== PersistReason.afterToolBatch;
  }
}
