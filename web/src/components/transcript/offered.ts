/** An answer, split if it ends with suggested questions. */
export interface Offered {
  /** The text before the questions, including the line that announces them. */
  text: string;
  questions: readonly string[];
  /** Whether they answer a question of the analyst to the person. */
  areAnswers: boolean;
}

/** The line in which an analyst announces them. */
const announces = /\byou (?:could|can|might) (?:also )?ask\b.*:\s*$/iu;
/** The line above the options of ask_person (analyst/tool_ask.go). */
const asks = /^you could answer:\s*$/iu;
const item = /^ {0,3}[-*] +(\S.*)$/u;

/** More items than these are a normal list, and longer items are not questions. */
const most = 8;
const longest = 200;

/** An answer that is shown as it is. */
export function notOffered(text: string): Offered {
  return { text, questions: [], areAnswers: false };
}

/** Finds the questions that an answer ends with: "You could ask, for example:" and a list. */
export function offered(text: string): Offered {
  const none = notOffered(text);
  const lines = text.trimEnd().split('\n');
  const questions: string[] = [];
  let above = lines.pop();
  for (; above !== undefined; above = lines.pop()) {
    const question = item.exec(above)?.[1]?.trim();
    if (question === undefined && above.trim() !== '') break;
    if (question === undefined) continue;
    if (question.length > longest || questions.length === most) return none;
    questions.unshift(question);
  }
  if (questions.length === 0 || above === undefined || above.length > 4 * longest) return none;
  const areAnswers = asks.test(above);
  if (!areAnswers && !announces.test(above)) return none;
  return { text: [...lines, above].join('\n'), questions: [...new Set(questions)], areAnswers };
}
