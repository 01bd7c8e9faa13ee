/** Keys of the reference that nobody takes from the table. A file that has them is not wrong. */

/** Of one MCP server. */
export const MCP_REFERENCE_ONLY_KEYS: ReadonlySet<string> = new Set([
  "environment_id",
  "experimental_environment",
  "name",
]);

/** Read from the whole table where they matter. */
export const KEYS_READ_ELSEWHERE: ReadonlySet<string> = new Set([
  "marketplaces",
  "plugins",
  "profile",
  "profiles",
  "skills",
]);

/** They change nothing here. */
export const KEYS_WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  "agents",
  "analytics",
  "apps",
  "apps_mcp_product_sku",
  "audio",
  "auto_review",
  "chatgpt_base_url",
  "check_for_update_on_startup",
  "cli_auth_credentials_store",
  "commit_attribution",
  "debug",
  "desktop",
  "experimental_instructions_file",
  "experimental_realtime_start_instructions",
  "experimental_realtime_ws_backend_prompt",
  "experimental_realtime_ws_base_url",
  "experimental_realtime_ws_model",
  "experimental_realtime_ws_startup_context",
  "experimental_request_user_input_enabled",
  "experimental_thread_config_endpoint",
  "experimental_thread_store",
  "experimental_use_unified_exec_tool",
  "feedback",
  "file_opener",
  "forced_chatgpt_workspace_id",
  "forced_login_method",
  "ghost_snapshot",
  "hide_full_access_warning",
  "history",
  "include_apply_patch_tool",
  "include_apps_instructions",
  "instructions",
  "log_dir",
  "memories",
  "notice",
  "oss_provider",
  "otel",
  "permissions",
  "plan_mode_reasoning_effort",
  "realtime",
  "review_model",
  "sqlite_home",
  "suppress_unstable_features_warning",
  "tool_suggest",
  "web_search",
  "windows",
  "zsh_path",
]);
