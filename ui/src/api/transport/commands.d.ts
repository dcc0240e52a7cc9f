// The module that the build makes of the OpenAPI document (build/commands.ts).
declare module "virtual:commands" {
  /** The window's commands by method and path, and by the parameter that only one of several commands has. */
  export const COMMANDS: Readonly<Record<string, string>>;
  /** The argument of commands whose body is one argument. */
  export const WHOLE_BODIES: Readonly<Record<string, string>>;
}
