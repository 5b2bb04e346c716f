/** Which part of the runtime an error comes from. The stored strings are stable. */
export enum ErrorLayer {
  config = 'config',
  decode = 'decode',
  tool = 'tool',
  provider = 'provider',
  transport = 'transport',
  storage = 'storage',
  security = 'security',
  runtime = 'runtime',
  cancelled = 'cancelled'
}

/** Whether repeating the same request can help. */
export enum ErrorRetryability {
  never = 'never',
  immediate = 'immediate',
  afterDelay = 'afterDelay'
}

/** What is left of a session after the error. */
export enum ErrorResumability {
  /** The session goes on: resume() or the open question continues it. */
  yes = 'yes',
  /** The session takes no more work. */
  no = 'no',
  /** The error is in the history; the model handles it and the run goes on. */
  inHistory = 'in_history',
  /** The run ended; new input starts the next one. */
  newInput = 'new_input',
  /** Another owner wrote first: load the session again. */
  reload = 'reload',
  /** Decided by details of the error (retryability, which write failed). */
  byCause = 'by_cause',
  /** Says nothing about a session: a fault of the call or the configuration. */
  notApplicable = 'not_applicable'
}

/** Every code that the runtime itself can raise. Apps and tools may bring codes of their own. */
export enum ErrorCode {
  // decode
  jsonSyntax = 'json_syntax',
  jsonNotObject = 'json_not_object',
  jsonTooDeep = 'json_too_deep',
  jsonTooLarge = 'json_too_large',
  jsonNumberUnsafe = 'json_number_unsafe',
  jsonNumberRange = 'json_number_range',
  jsonSealed = 'json_sealed',
  // schema, registration
  schemaUnsupportedKeyword = 'schema_unsupported_keyword',
  schemaTypeMissing = 'schema_type_missing',
  schemaTypeUnsupported = 'schema_type_unsupported',
  schemaInvalidProperties = 'schema_invalid_properties',
  schemaInvalidRequired = 'schema_invalid_required',
  schemaInvalidItems = 'schema_invalid_items',
  schemaInvalidDescription = 'schema_invalid_description',
  schemaRootNotObject = 'schema_root_not_object',
  schemaTooDeep = 'schema_too_deep',
  toolNameEmpty = 'tool_name_empty',
  toolNameInvalid = 'tool_name_invalid',
  toolNameDuplicate = 'tool_name_duplicate',
  toolContractConflict = 'tool_contract_conflict',
  // tool calls
  toolNotFound = 'tool_not_found',
  toolNotVisible = 'tool_not_visible',
  toolArgumentTypeMismatch = 'tool_argument_type_mismatch',
  toolArgumentRequired = 'tool_argument_required',
  toolArgumentUnknown = 'tool_argument_unknown',
  toolArgumentsTooLarge = 'tool_arguments_too_large',
  toolArgumentSecret = 'tool_argument_secret',
  toolExecutionFailed = 'tool_execution_failed',
  toolTimeout = 'tool_timeout',
  toolCallTruncated = 'tool_call_truncated',
  toolBatchTooLarge = 'tool_batch_too_large',
  toolBatchNotExecuted = 'tool_batch_not_executed',
  toolChanged = 'tool_changed',
  toolOutcomeUnknown = 'tool_outcome_unknown',
  artifactNotFound = 'artifact_not_found',
  artifactStoreFailed = 'artifact_store_failed',
  toolCancelled = 'tool_cancelled',
  toolDenied = 'tool_denied',
  subAgentLimit = 'sub_agent_limit',
  processDied = 'process_died',
  streamFailed = 'stream_failed',
  // approval
  approvalNotFound = 'approval_not_found',
  approvalBatchClosed = 'approval_batch_closed',
  approvalExpired = 'approval_expired',
  approvalEditRejected = 'approval_edit_rejected',
  approvalRequired = 'approval_required',
  approvalDigestMismatch = 'approval_digest_mismatch',
  awaitingApproval = 'awaiting_approval',
  awaitingPlanReview = 'awaiting_plan_review',
  pendingApprovalBlocksInput = 'pending_approval_blocks_input',
  pendingPlanReviewBlocksInput = 'pending_plan_review_blocks_input',
  planReviewNotFound = 'plan_review_not_found',
  planReviewClosed = 'plan_review_closed',
  // plan
  planTodoStatusUnknown = 'plan_todo_status_unknown',
  planInvalid = 'plan_invalid',
  jobNotFound = 'job_not_found',
  // hooks and control
  hookAbort = 'hook_abort',
  hookFailed = 'hook_failed',
  hookEscalationDenied = 'hook_escalation_denied',
  modelRetryExhausted = 'model_retry_exhausted',
  approvalHostMissing = 'approval_host_missing',
  approvalHostAlreadyBound = 'approval_host_already_bound',
  requestHandlerDuplicate = 'request_handler_duplicate',
  requestHandlerMissing = 'request_handler_missing',
  // runtime
  configInvalid = 'config_invalid',
  runAlreadyActive = 'run_already_active',
  runtimeClosed = 'runtime_closed',
  inputEmpty = 'input_empty',
  inputTooLarge = 'input_too_large',
  inputInvalid = 'input_invalid',
  resumeRequired = 'resume_required',
  resumeNothingPending = 'resume_nothing_pending',
  loopDetected = 'loop_detected',
  maxTurnsReached = 'max_turns_reached',
  historyTooLarge = 'history_too_large',
  internalError = 'internal_error',
  cancelled = 'cancelled',
  // provider and transport
  providerHttpError = 'provider_http_error',
  providerAuth = 'provider_auth',
  providerPermission = 'provider_permission',
  providerNotFound = 'provider_not_found',
  providerBadRequest = 'provider_bad_request',
  providerContextLength = 'provider_context_length',
  providerRateLimited = 'provider_rate_limited',
  providerQuotaExceeded = 'provider_quota_exceeded',
  providerServerError = 'provider_server_error',
  providerProtocol = 'provider_protocol',
  providerStreamError = 'provider_stream_error',
  providerStreamIncomplete = 'provider_stream_incomplete',
  providerStreamTooLarge = 'provider_stream_too_large',
  providerOutputTruncated = 'provider_output_truncated',
  providerRefused = 'provider_refused',
  providerEmptyResponse = 'provider_empty_response',
  providerFailed = 'provider_failed',
  transportConnect = 'transport_connect',
  transportTimeout = 'transport_timeout',
  transportFailed = 'transport_failed',
  // storage
  stateSaveFailed = 'state_save_failed',
  stateLoadFailed = 'state_load_failed',
  stateConflict = 'state_conflict',
  stateCorrupt = 'state_corrupt',
  stateVersionUnsupported = 'state_version_unsupported',
  stateInvariantBroken = 'state_invariant_broken',
  sessionIdInvalid = 'session_id_invalid',
  sessionNotResumable = 'session_not_resumable'
}

/** One line of the error table: where a code comes from and what an app should do about it. */
export class ErrorCodeEntry {
  readonly code: ErrorCode;
  readonly layer: ErrorLayer;
  readonly retryability: ErrorRetryability;
  readonly resumability: ErrorResumability;
  /** What a user interface does, in a few words. */
  readonly advice: string;

  constructor(code: ErrorCode, layer: ErrorLayer, retryability: ErrorRetryability, resumability: ErrorResumability,
    advice: string) {
    this.code = code;
    this.layer = layer;
    this.retryability = retryability;
    this.resumability = resumability;
    this.advice = advice;
  }
}
