import * as z from 'zod/mini';
import { expect, it } from 'vitest';
import type { Analyst } from '@/lib/wire';
import { lostInForm } from '@/testing/round-trip';
import { agentRequest, agentSchema, agentValues } from './agent-schema';

it('returns every field of an agent', () => {
  const lost = lostInForm<Analyst>({
    entity: 'Analyst',
    request: 'AnalystRequest',
    send: (shown) => agentRequest(z.parse(agentSchema, agentValues(shown)), shown.version),
    as: { name: 'agentName', agent: 'controller', 'agentParams.modelProvider': 'provider' },
  });
  // A switch outside of the editor turns an agent on and off.
  expect(lost).toEqual(['isEnabled']);
});
