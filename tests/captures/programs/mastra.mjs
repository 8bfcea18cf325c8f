// A Mastra agent with a search tool. What to do comes on standard input as JSON.
import { text } from 'node:stream/consumers';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { createTool } from '@mastra/core/tools';
import { Observability } from '@mastra/observability';
import { OtelExporter } from '@mastra/otel-exporter';
import { z } from 'zod';

const task = JSON.parse(await text(process.stdin));
const model = createOpenAICompatible({ name: 'stub', baseURL: task.model, apiKey: 'none' })('stub-model');
const results = Object.assign({}, ...task.runs.map((each) => each.results));
const search = createTool({
  id: 'search_kb',
  description: 'Search the knowledge base.',
  inputSchema: z.object({ query: z.string() }),
  execute: async (input) => results[input.query ?? input.context?.query],
});
const custom = { endpoint: task.traces, protocol: 'http/json' };
const observability = new Observability({
  configs: { otel: { serviceName: 'rag-app', exporters: [new OtelExporter({ provider: { custom } })] } },
});
const support = new Agent({ id: 'support', name: 'support', instructions: 'Use the tools.', model, tools: { search_kb: search } });
const mastra = new Mastra({ agents: { support }, observability, logger: false });

for (const each of task.runs) {
  const options = { maxSteps: 4, tracingOptions: { metadata: { sessionId: each.session, userId: 'u-1' } } };
  const agent = mastra.getAgent('support');
  if (each.stream) await (await agent.stream(each.messages, options)).text;
  else await agent.generate(each.messages, options);
}
await new Promise((done) => setTimeout(done, 300));
await mastra.shutdown?.();
await observability.shutdown?.();
process.exit(0);
