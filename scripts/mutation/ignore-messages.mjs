// Tests do not check the words of most error messages, so mutants of these are ignored.
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

const ERRORS = /^(Refusal|\w*Error)$/;

const messages = {
  shouldIgnore({ node, parent }) {
    const isText = node.type === 'StringLiteral' || node.type === 'TemplateLiteral';
    if (isText && parent?.type === 'NewExpression' && ERRORS.test(parent.callee.name)) {
      // A refusal's first argument is its kind, which callers see as the status.
      return parent.callee.name === 'Refusal' && parent.arguments[0] === node ? undefined : 'the words of a message';
    }
    return undefined;
  },
};

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'messages', messages)];
