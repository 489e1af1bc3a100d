const OUT = 'plan';
new LlmAgent({name: 'a', instruction: 'Plan {city}', outputKey: OUT});
session.state['city'] = `x`;
create({state: {city: 1, 'user:mood': 2, town, ...more}, stateDelta: {[key]: 1}});
