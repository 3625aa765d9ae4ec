import * as z from 'zod/mini';

interface Step {
  readonly fields: readonly string[];
  readonly toggle?: { readonly isOn: boolean } | undefined;
}

/** Which steps have no errors. A step that is turned off has none. */
export function completeSteps(schema: z.ZodMiniType, values: unknown, steps: readonly Step[]): boolean[] {
  const checked = z.safeParse(schema, values);
  const wrong = checked.success ? [] : checked.error.issues.map(({ path }) => path.join('.'));
  return steps.map(
    ({ fields, toggle }) =>
      toggle?.isOn === false ||
      !wrong.some((path) => fields.some((field) => path === field || path.startsWith(`${field}.`))),
  );
}
